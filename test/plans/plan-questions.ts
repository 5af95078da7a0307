// Questions to the ledger whose plans are looked at: those that ever went wrong for every suite, and every documented filter
// in both directions for the long one.
import type { AccountTransactionsQuery } from '../../src/ledger/accounts/account.ts';
import type { ContractQuery } from '../../src/ledger/contracts/contract.ts';
import type { ContractResultsQuery } from '../../src/ledger/contracts/contract-result.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { IdCondition, SchedulesQuery } from '../../src/ledger/schedules/schedule.ts';
import { anyTimestamp } from '../../src/ledger/timestamp-conditions.ts';
import { hotAccount, quietAccount } from './fill-ledger.ts';

export type PlanQuestion = [name: string, ask: (ledger: Ledger) => Promise<unknown>];

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

/** Ranges of time around `middle`. */
function timesAround(middle: bigint) {
  const span = { ...anyTimestamp, from: middle, to: middle + 3_600_000_000_000n };
  const before = { ...anyTimestamp, to: middle };
  const after = { ...anyTimestamp, from: middle };
  const moment = { ...anyTimestamp, equals: [middle] };
  const others = { ...before, notEquals: [middle, middle - 1n] };
  return { others, all: [anyTimestamp, span, before, after, moment, others] };
}

export function planQuestions(middle: bigint): PlanQuestion[] {
  const { others, all: times } = timesAround(middle);
  return [
    ['token', (ledger) => ledger.token({ tokenId: 100_500n, at: null })],
    ['token as of T', (ledger) => ledger.token({ tokenId: 100_500n, at: { operator: 'lt', timestamp: middle } })],
    ['accounts by EVM address', (ledger) => ledger.findAccounts({ kind: 'evmAddress', address })],
    ['accounts by alias', (ledger) => ledger.findAccounts({ kind: 'alias', alias: address })],
    ...[hotAccount, quietAccount].flatMap((id): PlanQuestion[] => [
      [`account ${id}`, (ledger) => ledger.account({ id, timestamp: null, tokenBalanceLimit: 100 })],
      [`account ${id} as of T`, (ledger) => ledger.account({ id, timestamp: others, tokenBalanceLimit: 100 })],
    ]),
    ...everyAccount.flatMap((accountId) =>
      times.flatMap((timestamp) =>
        (['asc', 'desc'] as const).map(
          (order): PlanQuestion => [
            `transactions of ${accountId}, ${order}, ${describeBounds(timestamp)}`,
            (ledger) => ledger.accountTransactions({ ...transactions, accountId, timestamp, order }),
          ],
        ),
      ),
    ),
    ...everyAccount.flatMap((accountId) =>
      [
        { numbers: [14], except: false },
        { numbers: [40, 11], except: false },
        { numbers: [14], except: true },
      ].flatMap((types) =>
        (['asc', 'desc'] as const).map(
          (order): PlanQuestion => [
            `transactions of ${accountId}, ${order}, ${types.except ? 'not ' : ''}of types ${types.numbers.join()}`,
            (ledger) => ledger.accountTransactions({ ...transactions, accountId, types, order }),
          ],
        ),
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
    ...times.flatMap((timestamp) =>
      (['asc', 'desc'] as const).map(
        (order): PlanQuestion => [
          `contract results, ${order}, ${describeBounds(timestamp)}`,
          (ledger) => ledger.contractResults({ ...results, timestamp, order }),
        ],
      ),
    ),
    ['contract results, internal', (ledger) => ledger.contractResults({ ...results, internal: true })],
    ...[hotAccount, 1105n, 55n].map(
      (id): PlanQuestion => [
        `contract results of ${id}`,
        (ledger) => ledger.contractResults({ ...results, sender: { equals: [id], others: [] } }),
      ],
    ),
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
    ['search: id', (ledger) => ledger.search({ kind: 'id', id: 100_500n })],
    ['search: hash of a transaction', (ledger) => ledger.search({ kind: 'hash', hash: Buffer.alloc(32, 7) })],
    ['search: hash of a block', (ledger) => ledger.search({ kind: 'hash', hash: Buffer.alloc(48, 7) })],
    [
      'search: id of a transaction',
      (ledger) => ledger.search({ kind: 'transactionId', payerAccountId: hotAccount, validStart: middle }),
    ],
    ['search: timestamp', (ledger) => ledger.search({ kind: 'timestamp', timestamp: middle })],
    ['readiness', (ledger) => ledger.isReady()],
    ['examples', (ledger) => ledger.examples()],
    ['first transaction', (ledger) => ledger.firstTransactionTimestamp()],
  ];
}

const orders = ['asc', 'desc'] as const;
const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

export function everyFilter(middle: bigint): PlanQuestion[] {
  const { all: times } = timesAround(middle);
  const questions: PlanQuestion[] = [];
  const add = (name: string, ask: PlanQuestion[1]) => questions.push([name, ask]);

  for (const operator of ['eq', 'lt', 'lte'] as const) {
    add(`token ${operator} T`, (ledger) => ledger.token({ tokenId: 100_700n, at: { operator, timestamp: middle } }));
  }
  for (const operator of operators) {
    const timestamp: ContractQuery['timestamp'] = [{ operator, timestamp: middle }];
    add(`contract ${operator} T`, (ledger) => ledger.contract({ reference: { kind: 'id', id: 1500n }, timestamp }));
    add(`contract by address ${operator} T`, (ledger) =>
      ledger.contract({ reference: { kind: 'evmAddress', address }, timestamp }),
    );
  }
  for (const timestamp of times) {
    for (const id of everyAccount) {
      add(`account ${id}, ${describeBounds(timestamp)}`, (ledger) =>
        ledger.account({ id, timestamp, tokenBalanceLimit: 1000 }),
      );
      for (const order of orders) {
        for (const limit of [1, 100]) {
          for (const types of [null, { numbers: [14], except: false }, { numbers: [40], except: false }]) {
            add(
              `${limit} transactions of ${id}, ${order}, ${describeBounds(timestamp)}, ${types?.numbers ?? 'any'}`,
              (ledger) => ledger.accountTransactions({ accountId: id, timestamp, types, order, limit }),
            );
          }
        }
      }
    }
    for (const order of orders) {
      for (const internal of [false, true]) {
        for (const limit of [1, 100]) {
          const query = { ...results, timestamp, order, internal, limit };
          const name = `${limit} results, ${order}, ${describeBounds(timestamp)}${internal ? ', internal' : ''}`;
          add(name, (ledger) => ledger.contractResults(query));
          for (const id of [hotAccount, 1105n, 55n]) {
            const sender = { equals: [id], others: [] };
            add(`${name} of ${id}`, (ledger) => ledger.contractResults({ ...query, sender }));
          }
          for (const block of [
            { number: 5000n },
            { number: 10n ** 15n },
            { hashPrefix: '0cc175b9c0f1b6a831c399e269772661' },
          ]) {
            add(`${name} of block ${Object.values(block)}`, (ledger) => ledger.contractResults({ ...query, block }));
            add(`${name} of block ${Object.values(block)} by index`, (ledger) =>
              ledger.contractResults({ ...query, block, transactionIndexes: [1n] }),
            );
          }
        }
      }
    }
  }
  for (const order of orders) {
    for (const operator of operators) {
      const ids: IdCondition[] = [{ operator, id: 105_000n }];
      add(`schedules ${operator}, ${order}`, (ledger) => ledger.schedules({ ...schedules, order, scheduleIds: ids }));
      for (const creator of [hotAccount, 1103n]) {
        add(`schedules of ${operator} ${creator}, ${order}`, (ledger) =>
          ledger.schedules({ ...schedules, order, accountIds: [{ operator, id: creator }] }),
        );
      }
    }
  }
  return [...planQuestions(middle), ...questions];
}

function describeBounds(timestamp: typeof anyTimestamp): string {
  const { from, to, equals, notEquals } = timestamp;
  return (
    [from && 'from', to && 'to', equals.length && 'equal', notEquals.length && 'unequal'].filter(Boolean).join(' ') ||
    'any time'
  );
}
