// A mirror that begins with an export in the form of a Hiero mirror node, before its network goes on with a block
// stream: what it trusts of the ledger is what the export says, or what the operator pins.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { selectLedgerTrust } from '../../packages/store/read/select-ledger-trust.ts';
import { countUnverifiedBlocks } from '../../packages/store/read/select-unverified-proofs.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { importFolder } from '../support/tables/import-folder.ts';
import { writeExport } from '../support/transfer/move-ledger.ts';

// Exports are loaded and imported.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const cutoverAt = 8;
const blocks = 16;
let folder: string;
let scratch: ScratchDatabase;
let db: Database;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bootstrap-trust-'));
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

async function run(...args: string[]): Promise<{ code: number; said: string }> {
  const { code, output } = await runHere(args, { env: { DATABASE_URL: scratch.connectionString } });
  return { code, said: output };
}

/** The same as a process. */
async function runProgram(...args: string[]): Promise<{ code: number | null; said: string }> {
  const mirror = runMirror(args, { env: { DATABASE_URL: scratch.connectionString } });
  return { code: await mirror.ended, said: mirror.output() };
}

/** An export with its rows of `ledger` changed; what the manifest says of that file is left out. */
function changeLedgers(
  from: string,
  to: string,
  change: (row: Record<string, string>) => Record<string, string>,
): string {
  cpSync(from, to, { recursive: true });
  const name = readdirSync(to, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('ledger.csv.gz'))!;
  const rows = parse(gunzipSync(readFileSync(join(to, name))), { columns: true }) as Record<string, string>[];
  writeFileSync(join(to, name), gzipSync(stringify(rows.map(change), { header: true })));
  const manifest = join(to, 'manifest.csv');
  const lines = readFileSync(manifest, 'utf8').split('\n');
  writeFileSync(manifest, lines.map((line) => (/(^|\/)ledger\.csv/.test(line) ? `${name},,,` : line)).join('\n'));
  return to;
}

describe.each([32, 64] as const)('a ledger id of %i bytes', (bytes) => {
  let whole: string;
  let place: string;
  let id: string;
  let expected: Record<string, string>;
  const other = '7'.repeat(2 * bytes);

  beforeAll(async () => {
    [whole, place] = [join(folder, `${bytes}-whole`), join(folder, `${bytes}-export`)];
    const seed = `bootstrap ${bytes}`;
    const cutover = { ledgerIdBytes: bytes, cutoverAt: BigInt(cutoverAt) };
    const { addressBook } = await writeNetwork({ folder: whole, seed, ...cutover, blocks, transactions: 4 });
    const before = join(folder, `${bytes}-before`);
    cpSync(join(whole, 'recordstreams'), join(before, 'recordstreams'), { recursive: true });
    const mirror = await createScratchDatabase();
    await importFolder(before, addressBook, mirror.connectionString);
    await writeExport(mirror.connectionString, place, { isPlain: true });
    await mirror.close();
    const undisturbed = await createScratchDatabase();
    await importFolder(whole, addressBook, undisturbed.connectionString);
    const undisturbedDb = openDatabase({ connectionString: undisturbed.connectionString });
    id = (await selectLedgerTrust(undisturbedDb))!.ledgerId.toString('hex');
    await withoutPacked(undisturbedDb);
    await undisturbedDb.close();
    expected = withoutOwn(summarizeDump(await dumpDatabase(undisturbed.connectionString)));
    await undisturbed.close();
  });

  /** The mirror node does not have the column. */
  const withoutPacked = (db: Database) =>
    db.query({ name: 'p', text: 'update transaction set packed_transfers = null' });

  /** Tables about the database itself, and why the ledger is trusted. */
  function withoutOwn({
    import_revision: _i,
    mirrored_network: _n,
    mirror_extent: _e,
    ledger_trust: _t,
    ...tables
  }: Record<string, string>) {
    return tables;
  }

  test.each([
    ['takes the id of the export', [], 'export', 'from the export that the database was filled from'],
    ['is pinned to the id that the operator names', ['--ledger-id'], 'pinned', 'which --ledger-id names'],
  ])(
    '%s: over the cutover every block is verified, and rows are those of an undisturbed import',
    async (_name, flags, origin, why) => {
      const pin = flags.flatMap((flag) => [flag, id]);
      const tried = await run('bootstrap', '--from', place, '--full', '--dry-run', ...pin);
      expect(tried).toMatchObject({
        code: 0,
        said: expect.stringContaining(`will be verified as those of ledger ${id}, ${why}`),
      });
      expect(
        await db.query({
          name: 'rows',
          text: 'select ledger_id from ledger union all select ledger_id from ledger_trust',
        }),
      ).toEqual([]);
      const loaded = await runProgram('bootstrap', '--from', place, '--full', ...pin);
      expect(loaded).toMatchObject({
        code: 0,
        said: expect.stringContaining('The export has the publication of a ledger id'),
      });
      expect(await selectLedgerTrust(db)).toMatchObject({ ledgerId: Buffer.from(id, 'hex'), origin });
      const imported = await runProgram('import', '--once', '--source', whole);
      expect(imported).toMatchObject({
        code: 0,
        said: expect.stringContaining('the signatures of the network are verified'),
      });
      expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 0n, stored: BigInt(blocks) });
      expect(
        await db.query({ name: 'c', text: 'select count(rests_on)::int4 as covered from block_verification' }),
      ).toEqual([{ covered: blocks - cutoverAt }]);
      await withoutPacked(db);
      expect(withoutOwn(summarizeDump(await dumpDatabase(scratch.connectionString)))).toEqual(expected);
    },
  );

  test('of the state alone has the same trust', async () => {
    expect(await run('bootstrap', '--from', place)).toMatchObject({ code: 0 });
    expect(await run('import', '--once', '--source', whole)).toMatchObject({ code: 0 });
    expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 0n, stored: BigInt(blocks - cutoverAt + 1) });
    expect((await selectLedgerTrust(db))!.origin).toBe('export');
  });

  test.runIf(bytes === 64)(
    'is refused before a row is loaded where the export is of another ledger than the pinned one',
    async () => {
      for (const more of [['--dry-run'], []]) {
        const { code, said } = await run('bootstrap', '--from', place, '--full', '--ledger-id', other, ...more);
        expect([code, said]).toEqual([
          1,
          expect.stringContaining(`The export is of ledger ${id}, and --ledger-id names ${other}`),
        ]);
      }
      expect(await db.query({ name: 'rows', text: 'select count(*)::int4 as rows from record_file' })).toEqual([
        { rows: 0 },
      ]);
      // Later, too.
      await run('bootstrap', '--from', place, '--full');
      const { code, said } = await run('import', '--once', '--source', whole, '--ledger-id', other);
      expect([code, said]).toEqual([1, expect.stringContaining('cannot be trusted: ledgerId')]);
    },
  );

  test.runIf(bytes === 64)('that contradicts itself is not taken, and named', async () => {
    const from = changeLedgers(place, join(folder, `${bytes}-false`), (row) => ({ ...row, ledger_id: `\\x${other}` }));
    const { code, said } = await run('bootstrap', '--from', from, '--full');
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/A ledger id that the export names cannot be trusted: publication: expected an/),
    ]);
    expect(said).toContain('It has no ledger id that can be trusted');
    expect(await selectLedgerTrust(db)).toBeNull();
  });

  test('without its address book, as later mirror nodes export it, is enough if it names the first key', async () => {
    const from = changeLedgers(place, join(folder, `${bytes}-later`), ({ ledger_id, consensus_timestamp }) => {
      return { ledger_id: ledger_id!, consensus_timestamp: consensus_timestamp! };
    });
    const { code, said } = await run('bootstrap', '--from', from, '--full');
    expect([code, said]).toEqual([0, expect.stringContaining('Of ledger the export does not have')]);
    if (bytes === 32) {
      expect(said).toMatch(
        /cannot be trusted: publication: expected the first address book beside ledger id .*, found none/,
      );
      expect(await selectLedgerTrust(db)).toBeNull();
      return;
    }
    expect(await run('import', '--once', '--source', whole)).toMatchObject({ code: 0 });
    expect(await countUnverifiedBlocks(db)).toEqual({ blocks: 0n, stored: BigInt(blocks) });
  });
});
