// A prepared statement is known by its name: one name must never stand for two texts, nor be cut short by PostgreSQL.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import {
  type ContractResultsFilter,
  selectContractResults,
} from '../../packages/store/read/select-contract-results.ts';
import {
  selectTransactionsByEthereumHash,
  selectTransactionsByHash,
  selectTransactionsById,
} from '../../packages/store/read/select-named-transactions.ts';
import { selectSchedules } from '../../packages/store/read/select-schedules.ts';
import { selectTransactions } from '../../packages/store/read/select-transactions.ts';
import type { TransactionsFilter } from '../../packages/store/read/transactions-filter.ts';
import { recordQueries } from '../../packages/test-support/postgres/record-queries.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import {
  fillLedger,
  firstTimestamp,
  hotAccount,
  lastTimestamp,
  quietAccount,
} from '../../packages/test-support/rows/fill-ledger.ts';

const middle = (firstTimestamp + lastTimestamp) / 2n;
const id = fc.oneof(
  fc.bigInt({ min: 0n, max: 1000n }),
  fc.constantFrom(hotAccount, firstTimestamp, middle, lastTimestamp),
);
const ids = fc.array(id, { maxLength: 3 });
const order = fc.constantFrom('asc' as const, 'desc' as const);
const limit = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(250, 1_001));
const range = fc.record({ from: fc.option(id), to: fc.option(id), equals: ids, notEquals: ids });
const operator = fc.constantFrom('ne' as const, 'lt' as const, 'lte' as const, 'gt' as const, 'gte' as const);

const account = fc.constantFrom(98n, 800n, 3n, hotAccount, quietAccount);
const transactions: fc.Arbitrary<TransactionsFilter> = fc.record({
  accounts: fc.oneof(
    fc.constant(null),
    fc.uniqueArray(account, { minLength: 1, maxLength: 4 }),
    fc.record({ from: fc.option(account), to: fc.option(account), equals: fc.constant([]), notEquals: ids }),
  ),
  timestamp: range,
  types: fc.option(fc.record({ numbers: fc.array(fc.nat(80), { maxLength: 3 }), except: fc.boolean() })),
  isSuccess: fc.option(fc.boolean()),
  moved: fc.option(fc.constantFrom('credit' as const, 'debit' as const)),
  order,
  limit,
  rewardAccountId: fc.constant(800n),
});
const named = fc.record({
  nonce: fc.option(fc.bigInt({ min: 0n, max: 3n })),
  scheduled: fc.option(fc.boolean()),
  rewardAccountId: fc.constant(800n),
});
const results: fc.Arbitrary<ContractResultsFilter> = fc.record({
  sender: fc.record({ equals: ids, others: fc.array(fc.record({ operator, id }), { maxLength: 5 }) }),
  block: fc.option(
    fc.oneof(fc.record({ number: id }), fc.record({ hashPrefix: fc.stringMatching(/^[0-9a-f]{1,8}$/) })),
  ),
  transactionIndexes: ids,
  internal: fc.boolean(),
  timestamp: range,
  synthetic: fc.boolean(),
  order,
  limit,
});
const schedules = fc.record({ accountId: range, scheduleId: range, order, limit });

let scratch: ScratchDatabase;
let db: Database;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  await fillLedger(scratch.connectionString);
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
});

afterAll(async () => {
  await db?.close();
  await scratch?.close();
});

describe('names of statements', () => {
  const texts = new Map<string, { text: string; values: number }>();
  const recording = (): Database =>
    recordQueries(db, (query) => {
      const { text, values = [] } = query;
      const name = `${query.name}:${query.shape}`;
      const known = texts.get(name);
      if (known) expect({ text, values: values.length }).toEqual(known);
      texts.set(name, { text, values: values.length });
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    });

  it('stand for one text each', async () => {
    const runs = { numRuns: 300 };
    const asking = recording();
    await fc.assert(
      fc.asyncProperty(transactions, async (filter) => {
        expect((await selectTransactions(asking, filter)).rows.length).toBeLessThanOrEqual(filter.limit);
      }),
      runs,
    );
    const hash = Buffer.alloc(48, 7);
    const ids = [{ payerAccountId: hotAccount, validStart: middle }];
    await fc.assert(
      fc.asyncProperty(named, async (filter) => {
        const byId = await selectTransactionsById(asking, { ...filter, ids, from: 0n, to: lastTimestamp });
        const byHash = await selectTransactionsByHash(asking, hash, filter);
        const byEthereumHash = await selectTransactionsByEthereumHash(asking, hash.subarray(0, 32), filter);
        expect([byId, byHash, byEthereumHash]).toEqual([[], [], []]);
      }),
      runs,
    );
    await fc.assert(
      fc.asyncProperty(results, async (filter) => {
        expect((await selectContractResults(asking, filter)).length).toBeLessThanOrEqual(filter.limit);
      }),
      runs,
    );
    await fc.assert(
      fc.asyncProperty(schedules, async (filter) => {
        expect((await selectSchedules(asking, filter)).length).toBeLessThanOrEqual(filter.limit);
      }),
      runs,
    );
    expect(texts.size).toBeGreaterThan(200);
  });
});
