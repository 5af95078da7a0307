// No question reads more rows than a page needs, whatever it asks and whichever way PostgreSQL plans it.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountTransactionsQuery } from '../../src/ledger/account.ts';
import type { ContractResultsQuery } from '../../src/ledger/contract-result.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { SchedulesQuery } from '../../src/ledger/schedule.ts';
import { anyTimestamp } from '../../src/ledger/timestamp-conditions.ts';
import { type Database, type NamedQuery, openDatabase } from '../../src/store/database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.ts';
import { explainQuery, type PlanKind } from './explain-query.ts';
import { fillLedger, firstTimestamp, hotAccount, lastTimestamp, quietAccount } from './fill-ledger.ts';

const middle = (firstTimestamp + lastTimestamp) / 2n;
const span = { ...anyTimestamp, from: middle, to: middle + 3_600_000_000_000n };
const before = { ...anyTimestamp, to: middle };
const after = { ...anyTimestamp, from: middle };
const moment = { ...anyTimestamp, equals: [middle] };
const others = { ...before, notEquals: [middle, middle - 1n] };
const noSender = { equals: [], others: [] };
const results: ContractResultsQuery = {
  sender: noSender,
  block: null,
  transactionIndexes: [],
  internal: false,
  timestamp: anyTimestamp,
  synthetic: true,
  order: 'desc',
  limit: 25,
};
const transactions: Omit<AccountTransactionsQuery, 'accountId'> = {
  timestamp: anyTimestamp,
  types: null,
  order: 'desc',
  limit: 25,
};
const schedules: SchedulesQuery = { accountIds: [], scheduleIds: [], order: 'asc', limit: 25 };
const everyAccount = [hotAccount, quietAccount, 98n, 3n, 800n, 55n];
const address = Buffer.from('6c8e7e1ae4b8f3d10e2b8e2f3bd0d1d0b6a9f000', 'hex');

/** Most rows that any one node may go through: a page, or the few hundred rows of each source that a type filter looks at. */
const mostRows = 2_500;

const questions: [string, (ledger: Ledger) => Promise<unknown>][] = [
  ['token', (ledger) => ledger.token({ tokenId: 100_500n, at: null })],
  ['token as of T', (ledger) => ledger.token({ tokenId: 100_500n, at: { operator: 'lt', timestamp: middle } })],
  ['accounts by EVM address', (ledger) => ledger.findAccounts({ kind: 'evmAddress', address })],
  ['accounts by alias', (ledger) => ledger.findAccounts({ kind: 'alias', alias: address })],
  ...[hotAccount, quietAccount].flatMap((id): [string, (ledger: Ledger) => Promise<unknown>][] => [
    [`account ${id}`, (ledger) => ledger.account({ id, timestamp: null, tokenBalanceLimit: 100 })],
    [`account ${id} as of T`, (ledger) => ledger.account({ id, timestamp: others, tokenBalanceLimit: 100 })],
  ]),
  ...everyAccount.flatMap((accountId) =>
    [anyTimestamp, span, before, after, moment, others].flatMap((timestamp) =>
      (['asc', 'desc'] as const).map((order): [string, (ledger: Ledger) => Promise<unknown>] => [
        `transactions of ${accountId}, ${order}, ${describeBounds(timestamp)}`,
        (ledger) => ledger.accountTransactions({ ...transactions, accountId, timestamp, order }),
      ]),
    ),
  ),
  ...everyAccount.flatMap((accountId) =>
    [
      { numbers: [14], except: false },
      { numbers: [40, 11], except: false },
      { numbers: [14], except: true },
    ].flatMap((types) =>
      (['asc', 'desc'] as const).map((order): [string, (ledger: Ledger) => Promise<unknown>] => [
        `transactions of ${accountId}, ${order}, ${types.except ? 'not ' : ''}of types ${types.numbers.join()}`,
        (ledger) => ledger.accountTransactions({ ...transactions, accountId, types, order }),
      ]),
    ),
  ),
  [
    'transactions of all other types',
    (ledger) =>
      ledger.accountTransactions({ ...transactions, accountId: hotAccount, types: { numbers: [40], except: true } }),
  ],
  ['contract', (ledger) => ledger.contract({ reference: { kind: 'id', id: 1500n }, timestamp: [] })],
  [
    'contract by EVM address',
    (ledger) => ledger.contract({ reference: { kind: 'evmAddress', address }, timestamp: [] }),
  ],
  [
    'contract as of T',
    (ledger) =>
      ledger.contract({ reference: { kind: 'id', id: 1500n }, timestamp: [{ operator: 'lte', timestamp: middle }] }),
  ],
  [
    'contract by EVM address as of T',
    (ledger) =>
      ledger.contract({
        reference: { kind: 'evmAddress', address },
        timestamp: [{ operator: 'lt', timestamp: middle }],
      }),
  ],
  ...[anyTimestamp, span, before, after, moment, others].flatMap((timestamp) =>
    (['asc', 'desc'] as const).map((order): [string, (ledger: Ledger) => Promise<unknown>] => [
      `contract results, ${order}, ${describeBounds(timestamp)}`,
      (ledger) => ledger.contractResults({ ...results, timestamp, order }),
    ]),
  ),
  ['contract results, internal', (ledger) => ledger.contractResults({ ...results, internal: true })],
  ...[hotAccount, 1105n, 55n].map((id): [string, (ledger: Ledger) => Promise<unknown>] => [
    `contract results of ${id}`,
    (ledger) => ledger.contractResults({ ...results, sender: { equals: [id], others: [] } }),
  ]),
  ['contract results of a block', (ledger) => ledger.contractResults({ ...results, block: { number: 5000n } })],
  [
    'contract results of a block by hash',
    (ledger) => ledger.contractResults({ ...results, block: { hashPrefix: '0cc175b9c0f1b6a831c399e269772661' } }),
  ],
  [
    'contract results of a block by index',
    (ledger) => ledger.contractResults({ ...results, block: { number: 5000n }, transactionIndexes: [1n, 2n] }),
  ],
  ['schedules', (ledger) => ledger.schedules(schedules)],
  ['schedules, newest', (ledger) => ledger.schedules({ ...schedules, order: 'desc' })],
  [
    'schedules from an id',
    (ledger) => ledger.schedules({ ...schedules, scheduleIds: [{ operator: 'gt', id: 105_000n }] }),
  ],
  [
    'schedules of the hot creator',
    (ledger) => ledger.schedules({ ...schedules, accountIds: [{ operator: 'eq', id: hotAccount }] }),
  ],
  [
    'schedules of a creator',
    (ledger) => ledger.schedules({ ...schedules, accountIds: [{ operator: 'eq', id: 1103n }] }),
  ],
  ['schedule', (ledger) => ledger.schedule(104_000n)],
  ['readiness', (ledger) => ledger.isReady()],
  ['examples', (ledger) => ledger.examples()],
  ['first transaction', (ledger) => ledger.firstTransactionTimestamp()],
];

function describeBounds(timestamp: typeof anyTimestamp): string {
  const { from, to, equals, notEquals } = timestamp;
  return (
    [from && 'from', to && 'to', equals.length && 'equal', notEquals.length && 'unequal'].filter(Boolean).join(' ') ||
    'any time'
  );
}

let scratch: ScratchDatabase;
let db: Database;
let client: pg.Client;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  await fillLedger(scratch.connectionString);
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
  client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await db?.close();
  await scratch?.close();
});

describe.each<PlanKind>(['force_custom_plan', 'force_generic_plan'])('%s', (kind) => {
  it.each(questions)('%s reads few rows and no table from end to end', async (_name, ask) => {
    const asked: NamedQuery[] = [];
    const recording: Database = {
      ...db,
      query: (query) => {
        asked.push(query);
        return db.query(query);
      },
    };
    await ask(createLedger({ db: recording, clock: () => lastTimestamp, shard: 0n, realm: 0n }));
    for (const query of asked) {
      const tableReads = await explainQuery(client, query, kind);
      const excessive = tableReads.filter((read) => read.rows > mostRows);
      const whole = tableReads.filter((read) => read.node === 'Seq Scan' && read.rows > 0);
      expect({ query: query.name, excessive, whole }).toEqual({ query: query.name, excessive: [], whole: [] });
    }
  });
});
