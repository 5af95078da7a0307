// A mirror that began with the state of an export answers as one that saw everything and dropped what was before: made-up requests
// to every endpoint, about now and any other time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { createRowDropper } from '../../src/store/retention/row-dropper.ts';
import { withClient } from '../../src/store/wire/connect-client.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { type LedgerWords, readLedgerWords } from '../fuzz/ledger-words.ts';
import { compareAnswers, isOfPastStorage } from '../support/transfer/compare-answers.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

const requests = Number(process.env.STATE_REQUESTS ?? 400);

// Two ledgers are imported, and asked; more requests take longer.
vi.setConfig({ testTimeout: 240_000 + 200 * requests, hookTimeout: 240_000 });

let folder: string;
const scratch: ScratchDatabase[] = [];
const opened: Database[] = [];
let words: LedgerWords;
let state: Database;
let cut: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'state-answers-'));
  // A day between two blocks: stakes and rewards change with each.
  const stream = await writeSimulatedStream({
    seed: 'state',
    blocks: 50,
    transactionsPerBlock: 40,
    blockTime: 86_400_000_000_000n,
  });
  for (let index = 0; index < 2; index++) scratch.push(await createScratchDatabase());
  const [whole, copy] = scratch.map(({ connectionString }) => connectionString) as [string, string];
  await stream.importInto(whole, { until: { kind: 'block', number: 29n } });
  await writeExport(whole, folder);
  await loadFrom(folder, copy, { mode: { kind: 'state' } });
  for (const place of [whole, copy]) await stream.importInto(place);
  stream.close();
  const before = await withClient(copy, 'test', async (client) => {
    const { rows } = await client.query<{ kept: string }>('select kept_from::text as kept from mirror_extent');
    // The block from which it goes on, of which it has nothing but its row.
    await client.query('delete from record_file where consensus_end < (select kept_from from mirror_extent)');
    return BigInt(rows[0]!.kept);
  });
  const all = openDatabase({ connectionString: whole });
  words = await readLedgerWords(all);
  await all.close();
  const dropper = await createRowDropper(whole);
  await dropper.dropBefore(before);
  await dropper.close();
  [cut, state] = [openDatabase({ connectionString: whole }), openDatabase({ connectionString: copy })];
  opened.push(cut, state);
});

afterAll(async () => {
  for (const db of opened) await db.close();
  for (const database of scratch) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['spec', 'hiero'] as const)('%s: answers are equal', async (dialect) => {
  const { different, statuses } = await compareAnswers([cut, state], {
    dialect,
    seed: 'state',
    requests,
    words,
    mayDiffer: isOfPastStorage,
  });
  expect(different.join('\n')).toBe('');
  expect(statuses[200]).toBeGreaterThan(requests / 5);
});
