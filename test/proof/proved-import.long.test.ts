// The import of blocks that a network has signed, into a real PostgreSQL: what covers each block and is stored with it,
// where the import stops and how it goes on, and what a later run knows. Kills: killed-imports.test.ts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { bytesField } from '../../packages/protocol/wire-writer.ts';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createPreferredSource } from '../../packages/sources/preferred-source.ts';
import { selectLedgerTrust } from '../../packages/store/read/select-ledger-trust.ts';
import { countUnverifiedBlocks } from '../../packages/store/read/select-unverified-proofs.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { createLabNetwork, type LabNetwork } from '../../packages/test-support/proofs/lab-network.ts';
import { type SignBlocksOptions, signBlocks } from '../../packages/test-support/proofs/sign-blocks.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { createSignedStream, createTestKeys, transferItem } from '../../packages/test-support/streams/signed-stream.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import type { ImportStreamOptions } from '../../src/importer/import-stream.ts';
import { createProofThread } from '../../src/importer/proving/start-proof-thread.ts';
import { refusalOf, runImport } from './run-import.ts';

vi.setConfig({ testTimeout: 120_000 });

const count = 10;
const [own, other] = ['own', 'other'].map((seed) => createLabNetwork({ weights: [5n, 5n, 4n], seed })) as [
  LabNetwork,
  LabNetwork,
];
let folder: string;
let made: Buffer[];
let database: ScratchDatabase;
let db: Database;
/** One for all imports: to start it and to warm it up takes longer than the check of ten blocks. */
const proofs = createProofThread();

beforeAll(async () => {
  const network = mkdtempSync(join(tmpdir(), 'proved-network-'));
  const few = { nodes: 1, transactions: 2, signEvery: count };
  await writeNetwork({ folder: network, seed: 'proved', format: 'blocks', blocks: count, ...few });
  made = readBlocks(join(network, 'blocks'));
  rmSync(network, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proved-import-'));
  database = await createScratchDatabase();
  db = openDatabase({ connectionString: database.connectionString });
});
afterEach(async () => {
  await db.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await proofs.close();
  vi.resetConfig();
});

/** Puts some of the signed blocks into the folder; all by default. */
function place(options: Partial<SignBlocksOptions> = {}, numbers: readonly number[] = made.map((_, number) => number)) {
  const signed = signBlocks(made, { network: own, foreign: other, ...options });
  for (const number of numbers) writeFileSync(join(folder, `${number}.blk.gz`), gzipSync(signed[number]!));
  return signed;
}

const run = (options?: Partial<ImportStreamOptions>) => runImport({ folder, database, db, proofs }, options);

/** `number: kind block` of each stored block. */
async function covers(): Promise<string[]> {
  const rows = await db.query<{ text: string }>({
    name: '',
    text: `select r.index || ': ' || coalesce(v.kind || ' ' || v.rests_on, 'unverified') as text
from record_file r join block_verification v using (consensus_end) order by r.index`,
  });
  return rows.map(({ text }) => text);
}

const direct = (numbers: readonly number[]) => numbers.map((number) => `${number}: signed ${number}`);
const upTo = (end: number) => Array.from({ length: end }, (_, number) => number);

describe('what covers a block', () => {
  test('its own signature, a later one that its proof leads to, or the next good one', async () => {
    const plans = { 2: 4, 3: 4, 5: 'broken', 7: 'none' } as const;
    place({ proofOf: (number) => plans[number as keyof typeof plans] ?? 'signed' });
    const uncovered: bigint[] = [];
    const onUncovered = ({ number }: { number: bigint }) => uncovered.push(number);
    await run({ coverage: { maxCollected: 1 }, onUncovered });
    expect(await covers()).toEqual([
      ...direct([0, 1]),
      ...['2: state 4', '3: state 4', '4: signed 4', '5: chain 6', '6: signed 6', '7: chain 8', '8: signed 8'],
      '9: signed 9',
    ]);
    expect(uncovered).toEqual([5n, 7n]);
    expect(await selectLedgerTrust(db)).toMatchObject({
      origin: 'selfDeclared',
      ledgerId: Buffer.from(own.ledgerId),
      publication: own.publication,
      wrapsKey: null,
      rotation: { steps: 0n, block: 0n },
    });
    expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 0n, stored: 10n });
  });

  test('behind the head, one signature for many', async () => {
    place();
    await run({ coverage: { maxCollected: 4 } });
    expect(await covers()).toEqual([
      '0: signed 0',
      ...['1: chain 4', '2: chain 4', '3: chain 4', '4: signed 4'],
      ...['5: chain 8', '6: chain 8', '7: chain 8', '8: signed 8', '9: signed 9'],
    ]);
  });

  test('is in the answers of spec, and not in those of hiero', async () => {
    place({ proofOf: (number) => (number === 1 ? 'none' : 'signed') }, [0, 1, 2]);
    await run();
    const [spec, hiero] = [openServer(db, 'spec'), openServer(db, 'hiero')];
    const ledger_id = `0x${Buffer.from(own.ledgerId).toString('hex')}`;
    const proof = { block: 2, weight: 10, total_weight: 14, rotations: null, ledger_id, ledger: 'self_declared' };
    const { hash } = (await spec.inject('/api/v1/blocks/1')).json<{ hash: string }>();
    for (const name of ['1', hash]) {
      expect((await spec.inject(`/api/v1/blocks/${name}`)).json()).toMatchObject({
        proof: { kind: 'chain', ...proof },
      });
      expect((await hiero.inject(`/api/v1/blocks/${name}`)).json()).not.toHaveProperty('proof');
    }
    expect((await spec.inject('/api/v1/blocks')).json<{ blocks: object[] }>().blocks[0]).not.toHaveProperty('proof');
    await spec.close();
    await hiero.close();
  });

  test('at the head of a live stream a block waits for the one that covers it', async () => {
    const options = { proofOf: (number: number) => (number === 2 ? ('none' as const) : ('signed' as const)) };
    place(options, [0, 1, 2]);
    const stop = new AbortController();
    const importing = run({ live: true, signal: stop.signal });
    await expect.poll(covers, { timeout: 30_000 }).toHaveLength(2);
    place(options, [3]);
    await expect.poll(covers, { timeout: 30_000 }).toHaveLength(4);
    stop.abort();
    await importing;
    expect((await covers()).slice(2)).toEqual(['2: chain 3', '3: signed 3']);
  });
});

describe('the import stops', () => {
  test('at a block that none of the next ones covers, and goes on when it is repaired', async () => {
    place({ proofOf: (number) => (number >= 4 ? 'none' : 'signed') });
    const refusal = await refusalOf(run({ coverage: { maxWaiting: 3 } }));
    expect(refusal).toMatch(
      /^4\.blk\.gz: no signature of the network covers it: .* within 6 blocks, found no proof of the network/,
    );
    expect(await covers()).toHaveLength(4);
    place({}, [6]);
    expect(await refusalOf(run())).toMatch(/^7\.blk\.gz: .* before the blocks end/);
    expect((await covers()).slice(4)).toEqual(['4: chain 6', '5: chain 6', '6: signed 6']);
    place();
    await run();
    expect(await covers()).toHaveLength(count);
  });

  test.each([1, 256])('at the proof of another network (signatures checked of one in %i)', async (maxCollected) => {
    place({ proofOf: (number) => (number === 5 ? 'foreign' : 'signed') });
    const refusal = await refusalOf(run({ coverage: { maxCollected } }));
    expect(refusal).toContain(
      '5.blk.gz: its proof is not one of the trusted ledger: networkProof: expected attestation',
    );
    expect(refusal).toContain(`ledger ${Buffer.from(own.ledgerId).toString('hex')}, which the first block declared`);
    expect(refusal).toContain('Replace it with the copy of another node');
    expect(await covers()).toHaveLength(5);
    place({}, [5]);
    await run();
    expect(await covers()).toHaveLength(count);
  });

  test('at a further ledger id that none of its blocks vouches for', async () => {
    place({
      publications: { 0: own.publication, 5: other.publication },
      proofOf: (number) => (number < 5 ? 'signed' : 'foreign'),
    });
    const refusal = await refusalOf(run());
    expect(refusal).toContain('5.blk.gz: its proof is not one of the trusted ledger: networkProof: expected ledgerId');
    expect(refusal).toContain(`found one of ledger ${Buffer.from(other.ledgerId).toString('hex')}`);
    expect(refusal).toContain(
      'import it from its first block into an empty database, with its ledger id (--ledger-id)',
    );
    expect(await covers()).toHaveLength(5);
  });

  test('at a network that began again with other weights, which is another ledger of another database', async () => {
    place({}, upTo(9));
    await run();
    const again = await createScratchDatabase();
    const restarted = createLabNetwork({ weights: [5n, 6n, 4n], seed: 'own' });
    for (const [number, bytes] of signBlocks(made, { network: restarted }).entries()) {
      writeFileSync(join(folder, `${number}.blk.gz`), gzipSync(bytes));
    }
    expect(await refusalOf(run())).toMatch(/^9\.blk\.gz: not the successor .* import it into an empty database/);
    expect(await covers()).toHaveLength(9);
    const writer = await createBlockWriter({ connectionString: again.connectionString });
    const empty = openDatabase({ connectionString: again.connectionString });
    expect(await run({ db: empty, writer, ledgerId: restarted.ledgerId })).toMatchObject({ blocks: count });
    expect(await selectLedgerTrust(empty)).toMatchObject({
      ledgerId: Buffer.from(restarted.ledgerId),
      origin: 'pinned',
    });
    expect(Buffer.from(restarted.ledgerId)).not.toEqual(Buffer.from(own.ledgerId));
    await writer.close();
    await empty.close();
    await again.close();
  });

  test('at keys from before a rotation that was stored', async () => {
    place({}, [0, 1, 2, 3]);
    await run();
    await db.query({ name: '', text: 'update ledger_trust set rotation_steps = 3, rotation_block = 3' });
    place();
    const refusal = await refusalOf(run());
    expect(refusal).toContain('4.blk.gz: its proof is not one of the trusted ledger: networkProof: expected rotation');
    expect(await covers()).toHaveLength(4);
  });

  test('at a cut chain', async () => {
    place({}, [0, 1, 2, 3]);
    place({ publications: { 0: own.publication, 2: own.publication } }, [4, 5]);
    expect(await refusalOf(run())).toMatch(
      /^4\.blk\.gz: not the successor of the last file|^3\.blk\.gz: its root is not/,
    );
    expect((await covers()).length).toBeLessThanOrEqual(4);
  });

  test('where another ledger id is given than the one that was proved', async () => {
    place();
    const found = await refusalOf(run({ ledgerId: other.ledgerId }));
    expect(found).toMatch(/^0\.blk\.gz: .*which is pinned, .*found one of ledger/);
    expect(await covers()).toEqual([]);
    await run({ ledgerId: own.ledgerId });
    expect(await selectLedgerTrust(db)).toMatchObject({ origin: 'pinned', wrapsKey: expect.any(Buffer) });
    const later = await refusalOf(run({ ledgerId: other.ledgerId }));
    expect(later).toMatch(/^What was given as the ledger's id .* which is pinned, found ledger .* Leave --ledger-id/);
  });
});

describe('a pinned ledger', () => {
  const later = { kind: 'block', number: 3n } as const;

  test('without its publication: nothing is stored', async () => {
    place();
    const refusal = await refusalOf(run({ ledgerId: own.ledgerId, start: later }));
    expect(refusal).toMatch(/^3\.blk\.gz: .*its publication was not found\. .*--ledger-publication/);
    expect(await covers()).toEqual([]);
  });

  test('with its publication from the operator', async () => {
    place();
    await run({ ledgerId: own.ledgerId, ledgerPublication: own.publication, start: later });
    expect(await covers()).toHaveLength(7);
    expect(await selectLedgerTrust(db)).toMatchObject({ origin: 'pinned', publication: own.publication });
  });
});

test('a signature covers the blocks that were stored before a ledger was known', async () => {
  place({ publications: { 6: own.publication } }, [0, 1, 2, 3]);
  await run();
  expect(await covers()).toEqual(upTo(4).map((number) => `${number}: unverified`));
  expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 4n, stored: 4n });
  place({ publications: { 6: own.publication } });
  await run({ coverage: { maxCollected: 1 } });
  expect(await covers()).toEqual([...upTo(6).map((number) => `${number}: chain 6`), ...direct([6, 7, 8, 9])]);
});

test('an import that ends within blocks that wait reads on, as far as the block that covers them', async () => {
  place({ proofOf: (number) => (number === 4 || number === 5 ? 'none' : 'signed') });
  const summary = await run({ until: { kind: 'block', number: 4n } });
  expect(summary).toMatchObject({ blocks: 5, reachedEnd: true });
  expect((await covers()).at(-1)).toBe('4: chain 6');
});

test('records that nodes have signed hand the ledger over, and it stays', async () => {
  const stream = createSignedStream(folder, createTestKeys(3));
  const plain = transferItem(1_700_000_000_123_456_789n, 1n);
  const sent = proto.SignedTransaction.decode(proto.Transaction.decode(plain.transaction).signedTransactionBytes);
  const body = Buffer.concat([sent.bodyBytes, ...bytesField(77, own.publication)]);
  const signed = Buffer.concat(bytesField(1, body));
  stream.write({ items: [{ ...plain, transaction: Buffer.concat(bytesField(5, signed)) }] });
  stream.write();
  const { nodes } = stream.addressBook;
  await run({ addressBook: writeAddressBook(nodes) });
  expect(await selectLedgerTrust(db)).toMatchObject({ origin: 'handedOver', ledgerId: Buffer.from(own.ledgerId) });
  expect(await covers()).toEqual([]);
});

const real = findRealData('blocks');

test.skipIf(real.isAbsent).each([
  ['consensus-node-0.78', '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205', 6],
  ['consensus-node-0.73', 'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a', 5],
] as const)(`blocks of a real network, %s${real.hint}`, async (name, ledgerId, blocks) => {
  for (let number = 0; number < blocks; number++) {
    writeFileSync(join(folder, `${number}.blk.gz`), readFileSync(join(real.path, name, `${number}.blk.gz`)));
  }
  const found = await refusalOf(run({ ledgerId: own.ledgerId }));
  expect(found).toContain(`found one of ledger ${ledgerId}`);
  await run({ ledgerId: Buffer.from(ledgerId, 'hex'), coverage: { maxCollected: 1 } });
  const expected =
    blocks === 6
      ? ['0: signed 0', ...[1, 2, 3, 4].map((number) => `${number}: state 5`), '5: signed 5']
      : direct([0, 1, 2, 3, 4]);
  expect(await covers()).toEqual(expected);
  expect(await selectLedgerTrust(db)).toMatchObject({ origin: 'pinned', wrapsKey: expect.any(Buffer) });
});

describe('where one copy of a block has a bad proof, another is taken', () => {
  const write = (name: string, options: Partial<SignBlocksOptions> = {}) => {
    const path = join(folder, name);
    mkdirSync(path);
    for (const [number, bytes] of signBlocks(made, { network: own, foreign: other, ...options }).entries()) {
      writeFileSync(join(path, `${number}.blk.gz`), gzipSync(bytes));
    }
    return path;
  };
  const bad = (at: number, plan: 'foreign' | 'none') => ({
    proofOf: (number: number) => (number >= at ? plan : ('signed' as const)),
  });

  test('of another place', async () => {
    const places = [write('bad', bad(3, 'foreign')), write('good')];
    await run({ source: createPreferredSource(places.map((path) => createFolderSource({ path }))) });
    expect(await covers()).toHaveLength(count);
  });

  test('of another folder of the same place, and the refused ones are named', async () => {
    write('node3', bad(7, 'foreign'));
    write('node4', bad(8, 'foreign'));
    write('node5');
    const rejected: string[] = [];
    const onProgress: ImportStreamOptions['onProgress'] = ({ block: { number, verification } }) => {
      for (const { code, node } of verification.rejected) rejected.push(`${number}: ${code} ${node}`);
    };
    await run({ onProgress });
    expect(await covers()).toHaveLength(count);
    const named = (number: number, node: string) => `${number}: networkProof ${join(folder, node)}/${number}.blk.gz`;
    expect(rejected).toEqual([
      named(7, 'node3'),
      ...[8, 9].flatMap((number) => [named(number, 'node3'), named(number, 'node4')]),
    ]);
  });

  test('unless all are bad', async () => {
    write('node3', bad(3, 'foreign'));
    write('node4', bad(3, 'none'));
    expect(await refusalOf(run())).toMatch(/^3\.blk\.gz: /);
    expect(await covers()).toHaveLength(3);
  });
});
