// A mirror that a version began which knew nothing of ledger ids, and passed their publication: upgraded, it learns
// what it needs before its network goes on with a block stream. Such a version stored the transaction and its row of
// the table `ledger`, and none of the tables of trust.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { selectLedgerTrust } from '../../packages/store/read/select-ledger-trust.ts';
import { countUnverifiedBlocks } from '../../packages/store/read/select-unverified-proofs.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { findMissingTrust } from '../../src/ledger/extent/missing-trust.ts';
import { createDatabaseProbe } from '../../src/runtime/status/signals/database-signals.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';

// Processes import.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const cutoverAt = 8;
const blocks = 16;
let folder: string;
let scratch: ScratchDatabase;
let db: Database;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'upgraded-mirror-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  scratch = await createScratchDatabase();
  db = openDatabase({ connectionString: scratch.connectionString });
});
afterEach(async () => {
  await db.close();
  await scratch.close();
});

type Stream = { whole: string; before: string; after: string };

/** Of a network whose ledger id has so many bytes: all of it, and its record files. */
async function write(ledgerIdBytes: 32 | 64): Promise<Stream> {
  const [whole, before, after] = ['whole', 'before', 'after'].map((name) =>
    join(folder, `${ledgerIdBytes}-${name}`),
  ) as [string, string, string];
  const seed = `upgrade ${ledgerIdBytes}`;
  await writeNetwork({ folder: whole, seed, ledgerIdBytes, cutoverAt: BigInt(cutoverAt), blocks, transactions: 4 });
  for (const part of ['recordstreams', 'addressbook.bin'])
    cpSync(join(whole, part), join(before, part), { recursive: true });
  for (const part of ['blocks', 'addressbook.bin']) cpSync(join(whole, part), join(after, part), { recursive: true });
  return { whole, before, after };
}

const importOf = (path: string, more: readonly string[]): string[] => {
  const files = ['--source', path, '--address-book', join(path, 'addressbook.bin')];
  return ['import', '--once', ...files, ...more];
};

async function importFrom(path: string, to: string, ...more: string[]): Promise<string> {
  const { code, output } = await runHere(importOf(path, more), { env: { DATABASE_URL: to } });
  if (code !== 0) throw new Error(output);
  return output;
}

/** The same as a process. */
async function importByProgram(path: string, to: string): Promise<string> {
  const importer = runMirror(importOf(path, []), { env: { DATABASE_URL: to } });
  const code = await importer.ended;
  if (code !== 0) throw new Error(importer.output());
  return importer.output();
}

/** As 784f624 leaves it, but for its schema, which the start of this version completes. */
async function makeOlder(revision: number): Promise<void> {
  await withClient(scratch.connectionString, 'test', async (client) => {
    for (const table of ['ledger_trust', 'ledger_key', 'former_ledger', 'unread_publication', 'import_revision']) {
      await client.query(`delete from ${table}`);
    }
    await client.query('insert into import_revision (after, revision) values (-1, $1)', [revision]);
  });
}

async function change(text: string): Promise<void> {
  await withClient(scratch.connectionString, 'test', (client) => client.query(text));
}

async function summarize(connectionString: string): Promise<Record<string, string>> {
  const { import_revision: _other, ...tables } = summarizeDump(await dumpDatabase(connectionString));
  return tables;
}

async function doctor(): Promise<string> {
  const { output } = await runHere(['doctor', '--port', '0'], { env: { DATABASE_URL: scratch.connectionString } });
  return output;
}

describe.each([32, 64] as const)('a ledger id of %i bytes', (bytes) => {
  let stream: Stream;
  let expected: Record<string, string>;
  beforeAll(async () => {
    stream = await write(bytes);
    const undisturbed = await createScratchDatabase();
    await importFrom(stream.whole, undisturbed.connectionString);
    expected = await summarize(undisturbed.connectionString);
    await undisturbed.close();
  });

  test('is learnt when the import starts: over the cutover every block is verified, and all tables are those of an undisturbed import', async () => {
    await importFrom(stream.before, scratch.connectionString);
    const noted = await selectLedgerTrust(db);
    await makeOlder(1);
    expect(await findMissingTrust(db)).toMatchObject({
      isNow: false,
      found: expect.stringMatching(/^block 0 published/),
    });
    expect(await doctor()).toMatch(
      /FAILED database: block 0 published a ledger id, which the version that imported it did not/,
    );
    const said = await importByProgram(stream.whole, scratch.connectionString);
    const id = noted!.ledgerId.toString('hex');
    expect(said).toContain(
      `Block 0 published a ledger id, which the version that imported it did not note: blocks of a block stream are verified as those of ledger ${id}`,
    );
    expect(said).not.toContain('none is known to be published');
    expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 0n, stored: BigInt(blocks) });
    expect(
      await db.query({ name: 'covered', text: 'select count(rests_on)::int4 as covered from block_verification' }),
    ).toEqual([{ covered: blocks - cutoverAt }]);
    expect(await summarize(scratch.connectionString)).toEqual(expected);
    expect(await findMissingTrust(db)).toBeNull();
    expect(await doctor()).toContain('Everything is in order');
  });

  test('is learnt after the cutover, too: the next signature covers the blocks that are stored', async () => {
    await importFrom(stream.whole, scratch.connectionString, '--until', String(blocks - 2));
    await makeOlder(2);
    await change(
      'update block_verification set kind = null, rests_on = null, weight = null, total_weight = null, rotations = null, attestation = null, key_named_by = null',
    );
    expect(await findMissingTrust(db)).toMatchObject({
      isNow: true,
      found: expect.stringMatching(/^from block 8 on no signature/),
    });
    await importFrom(stream.whole, scratch.connectionString);
    expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 0n, stored: BigInt(blocks) });
    // The first block that shows that its network has not settled is the first one that was verified.
    await change('update ledger_trust set rotation_block = 8 where rotation_block is not null');
    expect(await summarize(scratch.connectionString)).toEqual(expected);
  });

  test.each([
    ['the source', []],
    ['kept files', ['--keep-proofs']],
  ])('is learnt from %s where its row was never stored', async (_place, keeping) => {
    await importFrom(stream.before, scratch.connectionString, ...keeping);
    await makeOlder(0);
    await change('delete from ledger');
    expect(await findMissingTrust(db)).toMatchObject({ isNow: false });
    await importFrom(keeping.length > 0 ? stream.after : stream.whole, scratch.connectionString);
    expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 0n, stored: BigInt(blocks) });
    const { ledger, kept_stream_file, ...others } = await summarize(scratch.connectionString);
    expect({ ...others, ledger: 'x', kept_stream_file: 'x' }).toEqual({
      ...expected,
      ledger: 'x',
      kept_stream_file: 'x',
    });
    expect([ledger, kept_stream_file!.startsWith('0 rows')]).toEqual([
      expect.stringMatching(/^0 rows/),
      keeping.length === 0,
    ]);
    expect(await findMissingTrust(db)).toBeNull();
  });

  test('is not believed where the stored book is not the one of the id: that is red, and readiness says so where proofs are demanded', async () => {
    await importFrom(stream.before, scratch.connectionString);
    await makeOlder(1);
    await change(`update ledger set node_contributions = jsonb_set(node_contributions, '{0,weight}', '7')`);
    const said = await importFrom(stream.after, scratch.connectionString);
    expect(said).toMatch(/The ledger id that block 0 published, which no version noted so far, cannot be trusted/);
    expect(said).toMatch(
      /The ledger id that block 0 published cannot be read again: The source does not have the files of block 0/,
    );
    expect(said).toContain('Trust is missing: block 0 published a ledger id that could not be learnt');
    expect(await countUnverifiedBlocks(db)).toEqual({ blocks: BigInt(blocks - cutoverAt), stored: BigInt(blocks) });
    const [usual, demanding] = [openServer(db, 'spec'), openServer(db, 'spec', { settings: { requiresProof: true } })];
    expect((await usual.inject('/health/readiness')).statusCode).toBe(200);
    const answer = await demanding.inject('/health/readiness');
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: 'error', reason: expect.stringMatching(/^from block 8 on no signature of the network is verified/) },
    ]);
    await usual.close();
    await demanding.close();
    expect(await doctor()).toMatch(
      /FAILED database: from block 8 on no signature of the network is verified.*--ledger-id/,
    );
    const probe = createDatabaseProbe(scratch.connectionString);
    const { values, facts } = await probe.probe(null);
    await probe.close();
    expect([values['stream.untrusted'], facts['stream.untrusted']]).toEqual([
      2,
      expect.stringMatching(/^From block 8 on/),
    ]);
  });
});
