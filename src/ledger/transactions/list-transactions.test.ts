// Pages of transactions against what the tables say when they are simply read through, for any mixture of conditions.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyRange, type Range } from '../../../packages/kit/range.ts';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { successCodes } from '../../../packages/protocol/hapi/response-codes.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import {
  fillLedger,
  firstTimestamp,
  hotAccount,
  lastTimestampOf,
  quietAccount,
} from '../../../packages/test-support/rows/fill-ledger.ts';
import { createLedger } from '../create-ledger.ts';
import type { Ledger } from '../ledger.ts';
import type { TransactionsQuery } from './transaction.ts';

const count = 40_000;
const now = lastTimestampOf(count);

let scratch: ScratchDatabase;
let db: Database;
let client: pg.Client;
let ledger: Ledger;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  await fillLedger(scratch.connectionString, count);
  client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  // Children, of which only those with a parent are listed for their payer, and accounts that only rarely give.
  await client.query('update transaction set nonce = 1 where consensus_timestamp / 1000000000 % 5 = 0');
  await client.query(
    'update transaction set parent_consensus_timestamp = 1 where nonce = 1 and consensus_timestamp / 1000000000 % 10 = 0',
  );
  await client.query(`insert into crypto_transfer (consensus_timestamp, payer_account_id, entity_id, amount)
    select consensus_timestamp, payer_account_id, e.id, -7 from transaction, (values (98), (800)) e (id)
    where consensus_timestamp / 1000000000 % 1300 = 7`);
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 3 });
  ledger = createLedger({ db, clock: () => now, system: usualRealm });
});
afterAll(async () => {
  await client?.end();
  await db?.close();
  await scratch?.close();
});

const sqlOf = (column: string, { from, to, equals, notEquals }: Range): string =>
  [
    'true',
    ...(from === null ? [] : [`${column} >= ${from}`]),
    ...(to === null ? [] : [`${column} <= ${to}`]),
    ...(equals.length === 0 ? [] : [`${column} in (${equals.join()})`]),
    ...notEquals.map((value) => `${column} <> ${value}`),
  ].join(' and ');

async function readThrough(query: TransactionsQuery): Promise<string[]> {
  const { accounts, timestamp, types, isSuccess, moved, order, limit } = query;
  const has = (table: string, column: string, more = '') =>
    `exists (select from ${table} s where s.consensus_timestamp = t.consensus_timestamp and ${sqlOf(column, accounts)}${more})`;
  const sign = { credit: ' and s.amount > 0', debit: ' and s.amount < 0', any: '' }[moved ?? 'any'];
  const transfers = `${has('crypto_transfer', 's.entity_id', sign)} or ${has('token_transfer', 's.account_id', sign)}`;
  const pays = `${sqlOf('t.payer_account_id', accounts)}
    and (t.nonce = 0 or t.parent_consensus_timestamp is not null or t.type in (11, 15))`;
  const takesPart =
    accounts === anyRange ? 'true' : `(${pays}) or ${has('entity_transaction', 's.entity_id')} or ${transfers}`;
  const conditions = [
    moved ? transfers : takesPart,
    sqlOf('t.consensus_timestamp', timestamp),
    types ? `t.type ${types.except ? 'not ' : ''}in (${types.numbers.join()})` : 'true',
    isSuccess === null ? 'true' : `t.result ${isSuccess ? '' : 'not '}in (${successCodes.join()})`,
  ];
  const { rows } = await client.query<{ at: string }>(
    `select consensus_timestamp::text as at from transaction t
     where (${conditions.join(') and (')}) order by consensus_timestamp ${order} limit ${limit}`,
  );
  return rows.map(({ at }) => at);
}

const account = fc.constantFrom(98n, 800n, 3n, hotAccount, quietAccount, 1107n, 2345n, 7n);
const moment = fc.nat(count).map((seconds) => firstTimestamp + BigInt(seconds) * 1_000_000_000n);
const accounts = fc.oneof(
  fc.constant(anyRange),
  fc.uniqueArray(account, { minLength: 1, maxLength: 4 }).map((equals) => ({ ...anyRange, equals })),
  fc.record({
    from: fc.option(account),
    to: fc.option(fc.constantFrom(98n, 1200n, 10_000n)),
    equals: fc.uniqueArray(account, { maxLength: 2 }),
    notEquals: fc.array(account, { maxLength: 2 }),
  }),
);
const queries: fc.Arbitrary<TransactionsQuery> = fc.record({
  accounts: accounts.map((range) => (JSON.stringify(range, toText) === JSON.stringify(anyRange) ? anyRange : range)),
  timestamp: fc.record({
    from: fc.option(moment),
    to: fc.option(moment),
    equals: fc.array(moment, { maxLength: 1 }).map((times) => (times.length > 0 && times[0]! % 7n > 0n ? [] : times)),
    notEquals: fc.array(moment, { maxLength: 2 }),
  }),
  types: fc.option(fc.record({ numbers: fc.constantFrom([14], [40], [40, 11], [11]), except: fc.boolean() })),
  isSuccess: fc.option(fc.boolean()),
  moved: fc.option(fc.constantFrom('credit' as const, 'debit' as const)),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.constantFrom(1, 7, 25, 100),
});

function toText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

it('a page has what the tables say, in order, and says whether more may follow', async () => {
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const expected = await readThrough(query);
      const { items, next } = await ledger.transactions.list(query);
      expect(items.map(({ consensusTimestamp }) => consensusTimestamp.toString())).toEqual(expected);
      expect(next?.toString() ?? null).toBe(expected.length === query.limit ? expected.at(-1) : null);
    }),
    { numRuns: 50 },
  );
});
