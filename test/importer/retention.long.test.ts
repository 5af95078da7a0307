// A mirror that drops its past beside one that keeps everything, over the same files: what the first one keeps it
// answers as the second does, and nothing older is left.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { watchBlocks } from '../../packages/store/notify/block-watch.ts';
import { selectLastBlock } from '../../packages/store/read/import-state.ts';
import { selectStoredExtent } from '../../packages/store/read/select-mirror-extent.ts';
import { historyTables, momentTables } from '../../packages/store/retention/kept-rows.ts';
import { createRowDropper } from '../../packages/store/retention/row-dropper.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { createRetention } from '../../src/importer/extent/retention.ts';
import { loadWrappedChain } from '../../src/importer/open/load-wrapped-chain.ts';
import { openMirror, type TestMirror } from '../support/program/open-mirror.ts';
import { compareKeptAnswers } from './compare-kept-answers.ts';

const hour = 3_600_000_000_000n;
// Twelve days over the turn of a month and of a year.
const begin = BigInt(Date.UTC(2025, 11, 26)) * 1_000_000n;
const blockTime = 8n * hour;
const blocks = 36;

let stream: SimulatedStream;
const mirrors: TestMirror[] = [];
let before: bigint;

beforeAll(async () => {
  stream = await writeSimulatedStream({ seed: 'retention', blocks, transactionsPerBlock: 6, start: begin, blockTime });
  for (let mirror = 0; mirror < 2; mirror++) mirrors.push(await openMirror(stream.importInto));
  const [row] = await mirrors[0]!.db.query<{ border: bigint }>({
    name: 'test-border',
    text: 'select consensus_end + 1 as border from record_file order by consensus_end offset 24 limit 1',
  });
  before = row!.border;
});
afterAll(async () => {
  for (const { close } of mirrors) await close();
  stream?.close();
});

/** Drops what is older in the second mirror, in two steps. */
async function dropOld(): Promise<void> {
  const { db, connectionString } = mirrors[1]!;
  const watch = watchBlocks({ connectionString, onLost: () => {} });
  await vi.waitUntil(() => watch.state.newestEnd !== null, { timeout: 120_000 });
  const { epoch } = watch.state;
  const dropper = await createRowDropper(connectionString);
  expect(await dropper.dropBefore(before, AbortSignal.abort())).toEqual({ blocks: 0, rows: 0 });
  await dropper.close();
  const last = await selectLastBlock(db);
  const drops: { blocks: number; before: bigint }[] = [];
  for (const border of [before - 12n * blockTime, before]) {
    const retention = createRetention({
      connectionString,
      db,
      keepNs: last!.consensusEnd - border,
      signal: new AbortController().signal,
      onDropped: (dropped) => drops.push(dropped),
      onFailed: (error) => {
        throw error;
      },
    });
    retention.onBlock(last!);
    // The same moment again: nothing is due.
    retention.onBlock(last!);
    await retention.close();
  }
  // Servers forget what they keep of the past.
  await vi.waitUntil(() => watch.state.epoch > epoch, { timeout: 120_000 });
  await watch.close();
  expect(drops[0]!.blocks).toBeGreaterThan(0);
  expect(drops[0]!.blocks + drops[1]!.blocks).toBe(25);
  expect(drops[1]!.before).toBe(before);
}

test('of single moments exactly the newer rows are left, and the database says from where', async () => {
  await dropOld();
  const [full, small] = mirrors;
  for (const [table, column] of momentTables) {
    const text = `select count(*) filter (where ${column} >= $1) as newer, count(*) filter (where ${column} < $1) as older from ${table}`;
    const query = { name: `count-${table}`, text, values: [before] };
    const [expected] = await full!.db.query<{ newer: bigint; older: bigint }>(query);
    expect({ table, rows: await small!.db.query(query) }).toEqual({
      table,
      rows: [{ newer: expected!.newer, older: 0n }],
    });
  }
  for (const history of historyTables) {
    const text = `select count(*) as ended from ${history} where upper(timestamp_range) <= $1`;
    expect(await small!.db.query({ name: history, text, values: [before] })).toEqual([{ ended: 0n }]);
  }
  const [left] = await small!.db.query<{ names: string }>({
    name: 'partitions',
    text: `select string_agg(relname, ' ') as names from pg_class where relname like 'transaction\\_p%'`,
  });
  expect(left!.names).not.toContain('transaction_p2025 ');
  expect((await selectStoredExtent(small!.db))?.keptFrom).toBe(before);
});

test('the chain of the blocks around record files goes on over what was dropped', async () => {
  const roots = mirrors.map(async ({ db }) => (await loadWrappedChain(db, await selectLastBlock(db))).root());
  const [full, small] = await Promise.all(roots);
  expect(full).toHaveLength(48);
  expect(small).toEqual(full);
  // Each drop leaves one tree, in the place of those before it.
  const text = 'select leaf_count from wrapped_block_tree';
  expect(await mirrors[1]!.db.query({ name: '', text })).toHaveLength(1);
});

test('every answer about what is kept is that of a mirror that keeps everything', async () => {
  const [full, small] = mirrors;
  const { differences, statuses } = await compareKeptAnswers(full!, small!, before);
  expect(differences.slice(0, 5)).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(300);
});

test('a year that was cut off and not removed, because a kill came between, is removed with the next drop', async () => {
  const { db, connectionString } = mirrors[1]!;
  const query = (text: string) => db.query({ name: '', text });
  await query('create table transaction_p2024 (like transaction including all)');
  await query('alter table transaction attach partition transaction_p2024 for values from (0) to (1)');
  await query('alter table transaction detach partition transaction_p2024');
  await query('create table transaction_p2024_notes (of_an_operator text)');
  const dropper = await createRowDropper(connectionString);
  await dropper.dropBefore(before);
  await dropper.close();
  const left = await query(
    `select relname as name from pg_class where relname like 'transaction\\_p2024%' and relkind = 'r'`,
  );
  expect(left).toEqual([{ name: 'transaction_p2024_notes' }]);
});

test('what could not be dropped is tried again soon', async () => {
  const { db } = mirrors[0]!;
  const last = await selectLastBlock(db);
  const failures: Error[] = [];
  const retention = createRetention({
    connectionString: 'postgres://nobody@127.0.0.1:1/nowhere',
    db,
    keepNs: 100n * hour,
    signal: new AbortController().signal,
    onDropped: () => {},
    onFailed: (error) => failures.push(error),
  });
  // A step is five hours, and a failure is repeated after a twentieth of it.
  const count = async (afterMinutes: bigint): Promise<number> => {
    retention.onBlock({ consensusEnd: last!.consensusEnd + (afterMinutes * hour) / 60n });
    await retention.close();
    return failures.length;
  };
  expect(await count(0n)).toBe(1);
  expect(await count(14n)).toBe(1);
  expect(await count(15n)).toBe(2);
});
