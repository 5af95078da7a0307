// What the run of three days judges by finds nothing in a ledger over the turn of a year, and each thing that is taken
// out of it.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from '../../../packages/postgres/wire/connect-client.ts';
import { createRowDropper } from '../../../packages/store/retention/row-dropper.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../../packages/test-support/streams/simulated-stream.ts';
import {
  checkDays,
  checkPartitions,
  checkRetention,
  checkSnapshots,
  checkStaking,
  snapshotTimes,
} from './day-checks.ts';

const hourNs = 3_600_000_000_000n;
const blockTime = 8n * hourNs;
const keepNs = 96n * hourNs;

const databases: ScratchDatabase[] = [];
const clients: pg.Client[] = [];
let full: pg.Client;
let small: pg.Client;

beforeAll(async () => {
  const start = BigInt(Date.UTC(2025, 11, 26)) * 1_000_000n;
  const stream = await writeSimulatedStream({
    seed: 'retention',
    blocks: 36,
    transactionsPerBlock: 6,
    start,
    blockTime,
  });
  for (let count = 0; count < 2; count++) {
    const database = await createScratchDatabase();
    databases.push(database);
    await stream.importInto(database.connectionString);
    clients.push(await connectClient(database.connectionString, 'test'));
  }
  [full, small] = clients as [pg.Client, pg.Client];
  const { rows } = await small.query<{ border: string }>(
    'select min(consensus_start) as border from record_file where consensus_end >= (select max(consensus_end) from record_file) - $1::int8',
    [keepNs],
  );
  const dropper = await createRowDropper(databases[1]!.connectionString);
  // Between two blocks.
  await dropper.dropBefore(BigInt(rows[0]!.border));
  await dropper.close();
  stream.close();
});
afterAll(async () => {
  for (const client of clients) await client.end();
  for (const database of databases) await database.close();
});

type Check = () => Promise<string[]>;
const kept: Check = () => checkRetention({ small, full, keepNs });
const checks: Record<string, Check> = {
  partitions: () => checkPartitions(full),
  snapshots: () => checkSnapshots(full),
  days: () => checkDays(full),
  staking: () => checkStaking(full),
  'what is kept': kept,
};

it.each(Object.entries(checks))('%s: nothing is found in a sound ledger', async (_name, check) => {
  expect(await check()).toEqual([]);
});

describe('is found', () => {
  it.each<[string, string, Check, RegExp]>([
    ['a missing partition', 'drop table transaction_p2026', checks.partitions!, /^transaction: no partition for 2026$/],
    [
      'a missing snapshot',
      'delete from account_balance_file where consensus_timestamp = (select max(consensus_timestamp) from account_balance_file)',
      checks.snapshots!,
      /^no snapshot of balances at 2026-01-/,
    ],
    [
      'a snapshot too many',
      `insert into account_balance_file (consensus_timestamp, count, name)
select max(consensus_timestamp) + 1, 1, 'x' from account_balance_file`,
      checks.snapshots!,
      /^a snapshot of balances at 2026-01-.*, where none is due$/,
    ],
    [
      'a day that is counted in part',
      'update ledger_day set transactions = transactions - 1 where day = (select min(day) + 3 from ledger_day)',
      checks.days!,
      /^2025-12-29: \d+ transactions counted, \d+ stored$/,
    ],
    [
      'a staking period without stakes',
      'delete from node_stake where epoch_day = (select max(epoch_day) - 1 from node_stake)',
      checks.staking!,
      /^the staking period of 2026-01-0\d has no stakes of nodes$/,
    ],
    [
      'stakes of accounts of an earlier period',
      'update entity_stake set end_stake_period = end_stake_period - 1',
      checks.staking!,
      /^stakes of accounts are of 2026-01-0\d, not 2026-01-0\d$/,
    ],
  ])('%s', async (_name, statement, check, sentence) => {
    await full.query('begin');
    try {
      await full.query(statement);
      expect((await check()).join('\n')).toMatch(sentence);
    } finally {
      await full.query('rollback');
    }
  });

  it.each<[string, string, RegExp]>([
    [
      'a row that was dropped too early',
      'delete from transaction where consensus_timestamp = (select max(consensus_timestamp) from transaction)',
      /^transaction: \d+ rows since .*, the full mirror has \d+$/,
    ],
    [
      'a row that stayed',
      'insert into transaction_hash (consensus_timestamp, hash, payer_account_id) values (1767225600000000001, $$x$$, 2)',
      /^transaction_hash: 1 rows are older than /,
    ],
    [
      'a past that is kept too long',
      `update record_file set consensus_end = consensus_end - ${20n * hourNs}
where consensus_end = (select min(consensus_end) from record_file)`,
      /^the block of .* is there, though the newest is of /,
    ],
  ])('%s', async (_name, statement, sentence) => {
    await small.query('begin');
    try {
      await small.query(statement);
      expect((await kept()).join('\n')).toMatch(sentence);
    } finally {
      await small.query('rollback');
    }
  });
});

it('snapshots are due after two minutes, and then every fifteen, at blocks with transactions', () => {
  const at = (minutes: number): bigint => BigInt(minutes) * 60_000_000_000n;
  const blocks = [0, 1, 2, 10, 16, 17, 18, 60].map((minutes) => ({
    end: at(minutes),
    transactions: minutes === 17 ? 0 : 5,
  }));
  expect(snapshotTimes(blocks)).toEqual([at(2), at(18), at(60)]);
});
