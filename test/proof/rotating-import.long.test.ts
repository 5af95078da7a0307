// The import of a simulated network whose hinTS key changes: trust goes from block to block, over restarts and
// upgrades, and stops where nobody has announced the key. What operators and readers see of it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { bytesField } from '../../packages/protocol/wire-writer.ts';
import { migrations } from '../../packages/schema/migration/migrations.ts';
import type { WriteBlockOptions } from '../../packages/simulated-network/write-block.ts';
import { selectLedgerTrust, selectUnreadPublication } from '../../packages/store/read/select-ledger-trust.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { createLabNetwork } from '../../packages/test-support/proofs/lab-network.ts';
import { signBlocks } from '../../packages/test-support/proofs/sign-blocks.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { readBlocks } from '../../packages/test-support/streams/write-network.ts';
import type { ImportStreamOptions } from '../../src/importer/import-stream.ts';
import { createProofThread } from '../../src/importer/proving/start-proof-thread.ts';
import { examine } from '../../src/runtime/doctor/examine.ts';
import { createImportHealth } from '../../src/runtime/import/import-health.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { createDatabaseProbe } from '../../src/runtime/status/signals/database-signals.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { refusalOf, runImport } from './run-import.ts';

vi.setConfig({ testTimeout: 120_000 });

type Plan = Pick<WriteBlockOptions, 'rotation' | 'isProvedLater'>;
const [named, taken, later] = [{ rotation: 'named' }, { rotation: 'taken' }, { isProvedLater: true }] as const;

const root = mkdtempSync(join(tmpdir(), 'rotating-import-'));
const start = 1_790_000_000_000_000_000n;

/** The ledger id, and the files of the blocks. */
type Written = { ledgerId: Buffer; files: { name: string; bytes: Buffer }[] };

async function write(name: string, plans: readonly Plan[]): Promise<Written> {
  const folder = join(root, name);
  const network = await openNetwork({ folder, seed: 'rotating', format: 'blocks', ledgerIdBytes: 64, nodes: 2 });
  for (const [block, plan] of plans.entries()) {
    await network.writeBlock({ consensusStart: start + BigInt(block) * 2_000_000_000n, transactions: 2, ...plan });
  }
  await network.close();
  const blocks = join(folder, 'blocks');
  const files = readdirSync(blocks).map((file) => ({ name: file, bytes: readFileSync(join(blocks, file)) }));
  files.sort((one, other) => Number.parseInt(one.name, 10) - Number.parseInt(other.name, 10));
  return { ledgerId: network.ledgerId(), files };
}

/** Keys change at 4, 8 and 11; the block that names the second one is proved through the next. */
const honest: Plan[] = [{}, {}, named, {}, taken, {}, { ...named, ...later }, {}, taken, named, {}, taken, {}, {}];
let own: Written;
let unannounced: Written;
/** One for all imports: to start it and to warm it up takes longer than the check of ten blocks. */
const proofs = createProofThread();

let folder: string;
let database: ScratchDatabase;
let db: Database;

beforeAll(async () => {
  own = await write('honest', honest);
  unannounced = await write('unannounced', [{}, {}, {}, taken, {}, named, taken, {}]);
});
beforeEach(async () => {
  folder = mkdtempSync(join(root, 'import-'));
  database = await createScratchDatabase();
  db = openDatabase({ connectionString: database.connectionString });
});
afterEach(async () => {
  await db.close();
  await database.close();
});
afterAll(async () => {
  await proofs.close();
  rmSync(root, { recursive: true, force: true });
  vi.resetConfig();
});

function place({ files }: Written, numbers: readonly number[] = files.map((_file, number) => number)): void {
  for (const number of numbers) writeFileSync(join(folder, files[number]!.name), files[number]!.bytes);
}

const run = (options?: Partial<ImportStreamOptions>) => runImport({ folder, database, db, proofs }, options);

const texts = async (text: string) => (await db.query<{ text: string }>({ name: '', text })).map((row) => row.text);

/** `number: why the key is trusted, and the block that named it`. */
const keys = () =>
  texts(`select r.index || ': ' || coalesce(v.attestation, 'none') || coalesce(' ' || v.key_named_by, '') as text
from record_file r join block_verification v using (consensus_end) order by r.index`);

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, number) => from + number);

const ofKeys = [
  ...upTo(4).map((number) => `${number}: ledgerId`),
  ...upTo(8, 4).map((number) => `${number}: namedKey 2`),
  ...upTo(11, 8).map((number) => `${number}: namedKey 6`),
  ...upTo(14, 11).map((number) => `${number}: namedKey 9`),
];

describe('a network that announces its keys', () => {
  test('is followed through each, with every signature checked, and what is stored says which block named it', async () => {
    place(own);
    await run({ ledgerId: own.ledgerId, coverage: { maxCollected: 1 } });
    expect(await keys()).toEqual(ofKeys);
    const trust = (await selectLedgerTrust(db))!;
    expect(trust.keys.map(({ source, signsFrom }) => [source, signsFrom])).toEqual([
      ['ledgerId', 0n],
      ['signedBlock', 4n],
      ['signedBlock', 8n],
      ['signedBlock', 11n],
    ]);
  });

  test('is followed over restarts at any block, with any number of blocks at once', async () => {
    for (const [end, maxCollected] of [
      [1, 3],
      [3, 256],
      [4, 1],
      [7, 2],
      [9, 256],
      [14, 5],
    ] as const) {
      place(own, upTo(end));
      await run({ ledgerId: own.ledgerId, coverage: { maxCollected } });
    }
    const found = await keys();
    expect(found).toHaveLength(14);
    // A later signature may cover a block, whose key is then another one.
    expect(found.at(-1)).toBe('13: namedKey 9');
    expect(await texts('select count(*)::text as text from block_verification where rests_on is null')).toEqual(['0']);
    expect((await selectLedgerTrust(db))!.keys.map(({ signsFrom }) => signsFrom)).toEqual([0n, 4n, 8n, 11n]);
  });

  test('is followed without its id: the first block declares it', async () => {
    place(own);
    await run();
    expect((await selectLedgerTrust(db))!).toMatchObject({ origin: 'selfDeclared', ledgerId: own.ledgerId });
    expect(await keys()).toHaveLength(14);
  });

  test('killed while it imports, the program goes on with the keys that it has stored', async () => {
    place(own, upTo(6));
    const data = join(folder, 'data');
    const streams = join(folder, 'streams');
    mkdirSync(streams);
    const give = (numbers: readonly number[]) => {
      for (const number of numbers) writeFileSync(join(streams, own.files[number]!.name), own.files[number]!.bytes);
    };
    const args = ['import', '--source', streams, '--data-dir', data, '--database-url', database.connectionString];
    give(upTo(6));
    const first = runMirror([...args, '--ledger-id', own.ledgerId.toString('hex')]);
    await expect.poll(keys, { timeout: 60_000 }).toHaveLength(6);
    first.child.kill('SIGKILL');
    await first.ended;
    give(upTo(14, 6));
    const second = runMirror([...args, '--once']);
    expect([await second.ended, second.output()]).toEqual([0, expect.stringContaining('Imported 8 blocks')]);
    expect(await keys()).toHaveLength(14);
  });

  test('answers and pages say why each key is trusted', async () => {
    place(own, upTo(6));
    await run({ ledgerId: own.ledgerId, coverage: { maxCollected: 1 } });
    const spec = openServer(db, 'spec');
    const proofOf = async (number: number) => (await spec.inject(`/api/v1/blocks/${number}`)).json().proof;
    const ledger_id = `0x${own.ledgerId.toString('hex')}`;
    expect(await proofOf(1)).toMatchObject({ kind: 'signed', key: 'ledger_id', key_named_by: null, ledger_id });
    expect(await proofOf(5)).toMatchObject({ kind: 'signed', key: 'named_key', key_named_by: 2, rotations: null });
    await spec.close();
  });
});

describe('a key that nobody announced', () => {
  test('stops the import, which names it; the operator may vouch for it', async () => {
    place(unannounced);
    const refusal = (await refusalOf(run({ ledgerId: unannounced.ledgerId })))!;
    expect(refusal).toMatch(
      /^0*3\.blk\.gz: it is signed by a key that was not announced: unknownKey: expected attestation: .*--ledger-key/,
    );
    expect(await keys()).toHaveLength(3);
    // It stays so, however often it is tried.
    expect(await refusalOf(run())).toBe(refusal);
    const [, keyHash] = /found key ([0-9a-f]{64}), which none has named/.exec(refusal)!;
    await run({ ledgerKey: Buffer.from(keyHash!, 'hex') });
    expect((await keys()).slice(3)).toEqual([
      ...upTo(6, 3).map((number) => `${number}: pinnedKey`),
      ...upTo(8, 6).map((number) => `${number}: namedKey 5`),
    ]);
    // The next run needs no word of it.
    expect(await refusalOf(run())).toBe(null);
  });

  test.each(['start', 'verify'])('is refused by %s with the key of somebody else', async () => {
    place(unannounced);
    const given = { ledgerId: unannounced.ledgerId, ledgerKey: Buffer.alloc(32, 1) };
    expect(await refusalOf(run(given))).toMatch(/^0*3\.blk\.gz: it is signed by a key that was not announced/);
  });
});

describe('a mirror that begins in the middle', () => {
  const middle = { kind: 'block', number: 5n } as const;

  test('keeps blocks as unproved, says so everywhere, and proves them once the key is named', async () => {
    place(own, upTo(8));
    await run({ ledgerId: own.ledgerId, start: middle });
    expect(await keys()).toEqual(upTo(8, 5).map((number) => `${number}: unproved`));
    const spec = openServer(db, 'spec');
    const { proof } = (await spec.inject('/api/v1/blocks/6')).json();
    expect(proof).toMatchObject({ kind: 'unproved', key: 'unproved', ledger: 'pinned' });
    await spec.close();
    expect(await doctor()).toContain(
      '3 blocks are unproved: their signatures are good, but nothing vouches for the key',
    );
    expect((await status()).facts['stream.proof']).toContain('From block 5 on their key is not proved');

    // The key that signs now; the one after it was named in a block that is stored as unproved.
    const trust = await namedAt(8);
    await run({ ledgerKey: trust });
    expect(await keys()).toEqual([
      ...upTo(11, 5).map((number) => `${number}: pinnedKey`),
      ...upTo(14, 11).map((number) => `${number}: namedKey 9`),
    ]);
    expect((await status()).facts['stream.proof']).not.toContain('not proved');
  });

  test('from the block with the first key on nothing is unproved', async () => {
    place(own);
    await run({ ledgerId: own.ledgerId, start: { kind: 'block', number: 1n } });
    expect((await keys()).every((key) => !key.includes('unproved'))).toBe(true);
  });
});

/** Hash of the key that signs this block of the honest network. */
async function namedAt(number: number): Promise<Buffer> {
  place(own);
  const other = await createScratchDatabase();
  const writer = await createBlockWriter({ connectionString: other.connectionString });
  const known = openDatabase({ connectionString: other.connectionString });
  await run({ db: known, writer, ledgerId: own.ledgerId });
  const { keys: all } = (await selectLedgerTrust(known))!;
  await writer.close();
  await known.close();
  await other.close();
  return all.find(({ signsFrom }) => signsFrom === BigInt(number))!.keyHash;
}

async function doctor(): Promise<string> {
  const settings = loadSettings('doctor', ['--database-url', database.connectionString], {});
  const lines: string[] = [];
  for await (const { ok, found, advice } of examine(settings, ['database']))
    lines.push(`${ok} ${found} ${advice ?? ''}`);
  return lines.join('\n');
}

async function status() {
  const probe = createDatabaseProbe(database.connectionString);
  const { values, facts } = await probe.probe(null);
  await probe.close();
  return { values, facts };
}

describe('a publication of a form that is not known', () => {
  const lab = createLabNetwork({ weights: [5n, 5n, 4n], seed: 'own' });
  const unknown = Buffer.concat(bytesField(1, Buffer.alloc(48, 5)));

  function sign(publications: Record<number, Uint8Array>): Written {
    const made = readBlocks(join(root, 'honest', 'blocks')).slice(0, 6);
    const signed = signBlocks(made, { network: lab, publications });
    return {
      ledgerId: Buffer.from(lab.ledgerId),
      files: signed.map((bytes, number) => ({ name: `${number}.blk.gz`, bytes: gzipSync(bytes) })),
    };
  }

  test('under a trusted ledger: the import goes on, and everybody is told', async () => {
    place(sign({ 0: lab.publication, 3: unknown }));
    const registry = new Registry();
    const { health, readiness } = createImportHealth(registry, Date.now);
    await run({ ledgerId: lab.ledgerId, onProgress: health.onProgress });
    expect(await keys()).toHaveLength(6);
    expect(await selectUnreadPublication(db)).toMatchObject({ block: 3n, source: 'signedBlock', content: unknown });
    expect(readiness()).toMatchObject({
      ok: true,
      body: expect.stringContaining('"warning":"block 3 publishes a ledger id that this version cannot read: '),
    });
    expect(await registry.metrics()).toContain('ledger_mirror_import_unread_publication_block 3');
    expect(await doctor()).toMatch(/^false block 3 publishes a ledger id .* \(--ledger-key\)/);
    const { values, facts } = await status();
    expect([values['stream.unread'], facts['stream.unread']]).toEqual([1, expect.stringMatching(/^Block 3 publishes/)]);
    const spec = openServer(db, 'spec');
    const ready = await spec.inject('/health/readiness');
    expect(JSON.parse(ready.body)).toMatchObject({ warning: expect.stringMatching(/^Block 3 publishes/) });
    await spec.close();
  });

  test('without one: the import stops, and says what to name', async () => {
    place(sign({ 2: unknown }));
    expect(await refusalOf(run())).toMatch(
      /^2\.blk\.gz: a ledger id was published in a form that this version does not know: .*--ledger-id.*--ledger-key/,
    );
    expect(await texts('select index::text as text from record_file order by 1')).toEqual(['0', '1']);
  });
});

test('a database of an earlier version is brought here with all that it trusts, and goes on', async () => {
  const lab = createLabNetwork({ weights: [5n, 5n, 4n], seed: 'own' });
  const made = readBlocks(join(root, 'honest', 'blocks')).slice(0, 6);
  const files = signBlocks(made, { network: lab }).map((bytes, number) => ({
    name: `${number}.blk.gz`,
    bytes: gzipSync(bytes),
  }));
  const written = { ledgerId: Buffer.from(lab.ledgerId), files };
  place(written, upTo(3));
  await run({ coverage: { maxCollected: 1 } });
  const rows = 'select to_jsonb(t)::text as text from ledger_trust t';
  const before = await texts(rows);
  // As it was before its migration.
  await db.query({
    name: '',
    text: 'alter table block_verification drop column attestation, drop column key_named_by',
  });
  for (const table of ['ledger_key', 'former_ledger', 'unread_publication'])
    await db.query({ name: '', text: `drop table ${table}` });
  const { statements } = migrations.find(({ name }) => name === 'keys of ledgers')!;
  for (const text of statements) await db.query({ name: '', text });
  expect(await texts(rows)).toEqual(before);
  const spec = openServer(db, 'spec');
  expect((await spec.inject('/api/v1/blocks/1')).json().proof).toMatchObject({
    kind: 'signed',
    key: 'schnorr',
    block: 1,
  });
  await spec.close();
  place(written);
  await run();
  expect((await keys()).slice(3)).toEqual(upTo(6, 3).map((number) => `${number}: schnorr`));
  expect((await selectLedgerTrust(db))!).toMatchObject({ origin: 'selfDeclared', formerIds: [] });
});

describe('verify', () => {
  const verify = async (written: Written, numbers: readonly number[], args: readonly string[]) => {
    place(written, numbers);
    return runHere(['verify', '--source', folder, ...args]);
  };

  test('a stream of an announced key', async () => {
    const { code, output } = await verify(own, upTo(14), ['--ledger-id', own.ledgerId.toString('hex')]);
    expect([code, output]).toEqual([0, expect.stringContaining('14 files are proved.')]);
    expect(output).toContain('key named by the ledger id; ledger');
    expect(output).toContain('key named in block 9, which was proved; ledger');
  });

  test('a part of it, with its id: nothing can be verified, and that is no success', async () => {
    const { code, output } = await verify(own, [12, 13], ['--ledger-id', own.ledgerId.toString('hex')]);
    expect(code).toBe(1);
    expect(output).toContain('key unproved: the proof of the address book is not checked');
    expect(output).toContain('NOT VERIFIED: 2 blocks could not be verified as of the ledger that was given');
  });

  test('the same with its key', async () => {
    const key = (await namedAt(11)).toString('hex');
    for (const { name } of own.files.slice(0, 12)) rmSync(join(folder, name));
    const args = ['--ledger-id', `0x${own.ledgerId.toString('hex')}`, '--ledger-key', key];
    const { code, output } = await verify(own, [12, 13], args);
    expect([code, output]).toEqual([0, expect.stringContaining('2 files are proved.')]);
    expect(output).toContain('key pinned by the operator');
  });

  test('an announced key that was not: exit code 1, and what to name', async () => {
    const { code, output } = await verify(unannounced, upTo(8), []);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('3.blk.gz: it is signed by a key that was not announced'),
    ]);
  });
});
