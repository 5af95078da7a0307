// What is written in ranges between blocks, against what is written at once with the block: the same rows, however the
// ledger goes on meanwhile and however often the writer is killed.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectClient } from '../../postgres/wire/connect-client.ts';
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import type { Row } from '../../schema/tables.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import type { BulkOperation, TableChanges, WritableChanges } from './block-changes.ts';
import { type BlockWriter, createBlockWriter } from './block-writer.ts';

type Ledger = { scratch: ScratchDatabase; db: Database; writer: BlockWriter };

let ledgers: Ledger[] = [];

const manyRows = 1_000_000;

beforeEach(async () => {
  ledgers = [await openLedger(manyRows), await openLedger(1)];
});

afterEach(async () => {
  for (const { writer, db, scratch } of ledgers) {
    await writer.close();
    await db.close();
    await scratch.close();
  }
});

async function openLedger(rowsOfRange: number): Promise<Ledger> {
  const scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  const writer = await createBlockWriter({ connectionString, rowsOfRange });
  return { scratch, db: openDatabase({ connectionString }), writer };
}

const treasuryId = 2n;
const hbar = 100_000_000n;
const accounts = [2n, 3n, 4n, 5n, 6n, 7n];
const tokens = [70n, 71n];

/** What a block does, by account; `at`: its consensus end. */
type Change =
  | { kind: 'create' | 'rename' | 'delete'; account: bigint }
  | { kind: 'pay'; account: bigint; amount: bigint }
  | { kind: 'stake'; account: bigint; node: bigint; to: bigint; declines: boolean }
  | { kind: 'hold'; account: bigint; token: bigint; amount: bigint }
  | { kind: 'associate' | 'dissociate'; account: bigint; token: bigint }
  | { kind: 'move'; account: bigint; token: bigint; to: bigint };

type Step =
  | { kind: 'block'; changes: Change[]; snapshot: 'none' | 'changed' | 'whole'; endsPeriod: boolean }
  /** Ranges that are gone through before the next block, and whether the writer is killed behind them. */
  | { kind: 'pause'; ranges: number; isKilled: boolean };

const account = fc.constantFrom(...accounts);
const token = fc.constantFrom(...tokens);
const amount = fc.bigInt({ min: 0n, max: 9n });
/** Either is unset more often than not. */
const node = fc.constantFrom(-1n, 0n, 1n);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('create' as const, 'rename' as const, 'delete' as const), account }),
  fc.record({ kind: fc.constant('pay' as const), account, amount }),
  fc.record({
    kind: fc.constant('stake' as const),
    account,
    node,
    to: fc.constantFrom(0n, 3n, 4n),
    declines: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('hold' as const), account, token, amount }),
  fc.record({ kind: fc.constantFrom('associate' as const, 'dissociate' as const), account, token }),
  fc.record({ kind: fc.constant('move' as const), account, token, to: account }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      changes: fc.array(change, { maxLength: 4 }),
      snapshot: fc.constantFrom('none' as const, 'none' as const, 'changed' as const, 'whole' as const),
      endsPeriod: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('pause' as const), ranges: fc.nat(5), isKilled: fc.boolean() }),
);

test('balances and rewards are those of their moment, whatever blocks come meanwhile', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      for (const ledger of ledgers) {
        await empty(ledger);
        await play(ledger, steps);
      }
      const [atOnce, inRanges] = await Promise.all(ledgers.map(readSnapshots));
      expect(inRanges).toEqual(atOnce);
    }),
    { numRuns: 30 },
  );
});

test('a snapshot is seen when it is complete, and not before', async () => {
  const { writer, db } = ledgers[1]!;
  await writer.writeBlock({ parts: [created([2n, 3n, 4n], 10n), snapshot(10n, null, true)] });
  const complete = async () => {
    const rows = 'select count from account_balance_file';
    const treasury = `select balance from account_balance where account_id = ${treasuryId}`;
    return [await rowsOf(db, rows), await rowsOf(db, treasury)];
  };
  expect(await complete()).toEqual([[], []]);
  while (await writer.advanceScans()) expect(await complete()).toEqual([[], []]);
  expect(await complete()).toEqual([[{ count: 3n }], [{ balance: 1n }]]);
});

async function play(ledger: Ledger, steps: readonly Step[]): Promise<void> {
  let at = 10n;
  let previous: bigint | null = null;
  let period = 100n;
  for (const step of steps) {
    if (step.kind === 'pause') {
      for (let range = 0; range < step.ranges; range += 1) await ledger.writer.advanceScans();
      if (step.isKilled) await reopen(ledger);
      continue;
    }
    at += 10n;
    const parts: WritableChanges['parts'] = step.changes.map((one, index) => toPart(one, at + BigInt(index)));
    if (step.endsPeriod) {
      period += 1n;
      parts.push({ node_stake: [0n, 1n].map((node_id) => nodeStake(at + 2n, period, node_id)) });
      parts.push({ operation: 'updatePendingRewards', timestamp: at + 2n, rewardAccountId: 7n });
    }
    if (step.snapshot !== 'none') {
      parts.push(snapshot(at + 9n, previous, step.snapshot === 'whole'));
      previous = at + 9n;
    }
    await ledger.writer.writeBlock({ parts });
  }
  while (await ledger.writer.advanceScans());
}

async function reopen(ledger: Ledger): Promise<void> {
  const isSmall = ledger === ledgers[1];
  await ledger.writer.close();
  const { connectionString } = ledger.scratch;
  ledger.writer = await createBlockWriter({ connectionString, rowsOfRange: isSmall ? 1 : manyRows });
}

function toPart(change: Change, at: bigint): TableChanges | BulkOperation {
  const { account: id } = change;
  const version = { from: at, to: null };
  switch (change.kind) {
    case 'create':
      return created([id], at);
    case 'rename':
      return { entity: [{ ...numbersOf(id), memo: `at ${at}`, timestamp_range: version }] };
    case 'delete':
      return { entity: [{ ...numbersOf(id), deleted: true, timestamp_range: version }] };
    case 'pay': {
      const balance = change.amount * hbar;
      const transfer = { amount: balance, consensus_timestamp: at, entity_id: id, payer_account_id: treasuryId };
      return { entity: [{ id, balance, balance_timestamp: at }], crypto_transfer: [transfer] };
    }
    case 'stake': {
      const staked = { staked_node_id: change.node, staked_account_id: change.to, decline_reward: change.declines };
      return { entity: [{ ...numbersOf(id), ...staked, stake_period_start: 100n, timestamp_range: version }] };
    }
    case 'hold': {
      const held = { account_id: id, token_id: change.token, balance: change.amount, balance_timestamp: at };
      return { token_account: [held] };
    }
    case 'associate':
    case 'dissociate': {
      const associated = change.kind === 'associate';
      return { token_account: [{ account_id: id, token_id: change.token, associated, timestamp_range: version }] };
    }
    case 'move':
      return {
        operation: 'moveNfts',
        tokenId: change.token,
        fromAccountId: id,
        toAccountId: change.to,
        timestamp: at,
      };
  }
}

function nodeStake(at: bigint, period: bigint, node: bigint): Row<'node_stake'> {
  const nothing = { max_stake: 0n, min_stake: 0n, stake: 0n, stake_not_rewarded: 0n, stake_rewarded: 0n };
  const rate = 3n + node;
  return {
    ...nothing,
    consensus_timestamp: at,
    epoch_day: period,
    node_id: node,
    reward_rate: rate,
    staking_period: at,
  };
}

const numbersOf = (id: bigint): Row<'entity'> => ({ id, num: id, realm: 0n, shard: 0n, type: 'ACCOUNT' });

function created(ids: readonly bigint[], at: bigint): TableChanges {
  return {
    entity: ids.map((id) => ({
      ...numbersOf(id),
      balance: 1n,
      balance_timestamp: at,
      deleted: false,
      timestamp_range: { from: at, to: null },
    })),
  };
}

function snapshot(timestamp: bigint, previousTimestamp: bigint | null, whole: boolean): BulkOperation {
  const name = `snapshot ${timestamp}`;
  return { operation: 'takeBalanceSnapshot', timestamp, treasuryId, previousTimestamp, whole, name };
}

/** Also of the writer's memory. */
async function empty(ledger: Ledger): Promise<void> {
  const client = await connectClient(ledger.scratch.connectionString, 'test');
  await client.query(`truncate ${writtenTables.join(', ')}`);
  await client.end();
  await reopen(ledger);
}

const writtenTables = [
  ...['entity', 'entity_history', 'token_account', 'token_account_history', 'nft', 'nft_history'],
  ...['crypto_transfer', 'node_stake', 'entity_stake', 'entity_stake_history', 'stake_at_period_end'],
  ...['account_balance', 'token_balance', 'account_balance_file', 'ledger_scan'],
];

async function readSnapshots({ db }: Ledger): Promise<unknown> {
  return {
    files: await rowsOf(db, 'select consensus_timestamp as at, count, name from account_balance_file order by 1'),
    accounts: await rowsOf(
      db,
      'select consensus_timestamp as at, account_id, balance from account_balance order by 1, 2',
    ),
    tokens: await rowsOf(
      db,
      'select consensus_timestamp as at, account_id, token_id, balance from token_balance order by 1, 2, 3',
    ),
    stakes: await rowsOf(db, 'select * from entity_stake order by id'),
    earlierStakes: await rowsOf(db, 'select * from entity_stake_history order by id, timestamp_range'),
    left: await rowsOf(db, 'select * from stake_at_period_end'),
  };
}

function rowsOf(db: Database, text: string): Promise<Record<string, unknown>[]> {
  return db.query({ name: text, text });
}
