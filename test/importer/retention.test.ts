// A mirror that drops its past beside one that keeps everything, over the same files: what the first one keeps it answers
// as the second does, and nothing older is left.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRetention } from '../../src/importer/extent/retention.ts';
import { loadWrappedChain } from '../../src/importer/load-wrapped-chain.ts';
import { formatTimestamp } from '../../src/protocol/hapi/timestamp.ts';
import { selectLastBlock } from '../../src/store/read/import-state.ts';
import { selectToldExtent } from '../../src/store/read/select-mirror-extent.ts';
import { historyTables, momentTables } from '../../src/store/retention/kept-rows.ts';
import { createRowDropper } from '../../src/store/retention/row-dropper.ts';
import { watchBlocks } from '../../src/store/wire/block-watch.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { type Answers, openAnswers } from '../support/answers.ts';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../support/simulated-stream.ts';

const hour = 3_600_000_000_000n;
// Twelve days over the turn of a month and of a year.
const begin = BigInt(Date.UTC(2025, 11, 26)) * 1_000_000n;
const blockTime = 8n * hour;
const blocks = 36;

let stream: SimulatedStream;
const mirrors: { database: ScratchDatabase; db: Database; answers: Answers }[] = [];
let before: bigint;

beforeAll(async () => {
  stream = await writeSimulatedStream({ seed: 'retention', blocks, transactionsPerBlock: 6, start: begin, blockTime });
  for (let mirror = 0; mirror < 2; mirror++) {
    const database = await createScratchDatabase();
    await stream.importInto(database.connectionString);
    const db = openDatabase({ connectionString: database.connectionString, maxConnections: 4 });
    mirrors.push({ database, db, answers: openAnswers(db) });
  }
  const [row] = await mirrors[0]!.db.query<{ border: bigint }>({
    name: 'test-border',
    text: 'select consensus_end + 1 as border from record_file order by consensus_end offset 24 limit 1',
  });
  before = row!.border;
});
afterAll(async () => {
  for (const { answers, db, database } of mirrors) {
    await answers.close();
    await db.close();
    await database.close();
  }
  stream?.close();
});

/** Drops what is older in the second mirror, in two steps. */
async function dropOld(): Promise<void> {
  const { db, database } = mirrors[1]!;
  const { connectionString } = database;
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
  expect((await selectToldExtent(small!.db))?.keptFrom).toBe(before);
});

test('the chain of the blocks around record files goes on over what was dropped', async () => {
  const roots = mirrors.map(async ({ db }) => (await loadWrappedChain(db, await selectLastBlock(db))).root());
  const [full, small] = await Promise.all(roots);
  expect(full).toHaveLength(48);
  expect(small).toEqual(full);
});

test('every answer about what is kept is that of a mirror that keeps everything', async () => {
  const [full, small] = mirrors;
  const ids = async (text: string): Promise<string[]> =>
    (await full!.db.query<{ id: string }>({ name: text, text })).map(({ id }) => id);
  const since = `timestamp=gte:${formatTimestamp(before)}`;
  const blockEnds = await ids(
    `select consensus_end::text as id from record_file where consensus_end >= ${before} order by 1`,
  );
  const moments = [before, BigInt(blockEnds[0]!), BigInt(blockEnds[5]!), BigInt(blockEnds.at(-1)!)].map(
    formatTimestamp,
  );
  const entities = (type: string) => ids(`select '0.0.' || num as id from entity where type = '${type}' order by id`);
  const accounts = await entities('ACCOUNT');
  const contracts = await entities('CONTRACT');
  const tokens = await entities('TOKEN');
  const nfts = await ids(`select '0.0.' || token_id || '/nfts/' || serial_number as id from nft order by 1`);
  const files = [
    'network/nodes',
    'network/stake',
    'network/supply',
    'network/exchangerate',
    'network/fees',
    'balances',
  ];
  const hashes = await ids(
    `select encode(hash, 'hex') as id from transaction_hash where consensus_timestamp >= ${before} order by 1`,
  );
  const requests = [
    ...['accounts?limit=100', 'tokens?limit=100', 'contracts?limit=100', 'schedules?limit=100', ...files],
    ...['transactions', 'blocks', 'contracts/results', 'contracts/results/logs'].map(
      (list) => `${list}?${since}&limit=100`,
    ),
    ...hashes.flatMap((hash) => [`transactions/${hash}`, `contracts/results/${hash}`]),
    ...accounts.flatMap((id) => [
      `accounts/${id}?${since}&limit=100`,
      `accounts/${id}?transactions=false`,
      ...['tokens', 'nfts', 'allowances/crypto', 'allowances/tokens', 'hooks'].map((list) => `accounts/${id}/${list}`),
      `accounts/${id}/rewards?${since}`,
    ]),
    ...tokens.flatMap((id) => [`tokens/${id}`, `tokens/${id}/balances`, `tokens/${id}/nfts?limit=100`]),
    ...nfts.map((nft) => `tokens/${nft}`),
    ...contracts.flatMap((id) => [`contracts/${id}`, `contracts/${id}/state`, `contracts/${id}/results?${since}`]),
    ...moments.flatMap((moment) => [
      ...accounts.map((id) => `accounts/${id}?timestamp=${moment}&transactions=false`),
      ...tokens.map((id) => `tokens/${id}?timestamp=${moment}`),
      ...contracts.flatMap((id) => [
        `contracts/${id}?timestamp=${moment}`,
        `contracts/${id}/state?timestamp=${moment}`,
      ]),
      ...files.filter((file) => !/stake|nodes/.test(file)).map((file) => `${file}?timestamp=${moment}`),
      `balances?timestamp=${moment}&limit=100`,
    ]),
  ];
  const differences: unknown[] = [];
  const statuses: Record<number, number> = {};
  for (const request of requests) {
    const url = `/api/v1/${request}`;
    const [expected, found] = [await full!.answers.get('hiero', url), await small!.answers.get('hiero', url)];
    statuses[expected.status] = (statuses[expected.status] ?? 0) + 1;
    if (found.text !== expected.text) differences.push({ url, expected: expected.text, found: found.text });
  }
  expect(differences.slice(0, 5)).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(300);
});
