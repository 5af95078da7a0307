// Questions about transactions: by name, and lists of all accounts and of some with every filter.
import { createHash } from 'node:crypto';
import { anyRange, type Range } from '../../packages/kit/range.ts';
import { hotAccount, quietAccount } from '../../packages/test-support/rows/fill-ledger.ts';
import type { TransactionsQuery } from '../../src/ledger/transactions/transaction.ts';
import type { PlanQuestion } from './plan-question.ts';

export const everyTransaction: TransactionsQuery = {
  accounts: anyRange,
  timestamp: anyRange,
  types: null,
  isSuccess: null,
  moved: null,
  order: 'desc',
  limit: 25,
};

const hot: [string, Range][] = [
  ['everybody', anyRange],
  ...[hotAccount, quietAccount, 98n, 800n].map((id): [string, Range] => [`${id}`, { ...anyRange, equals: [id] }]),
  ['98 and two others', { ...anyRange, equals: [98n, hotAccount, quietAccount] }],
];
const usual = { numbers: [14], except: false };
const filters: [string, Partial<TransactionsQuery>][] = [
  ['', {}],
  [', successful', { isSuccess: true }],
  [', failed', { isSuccess: false }],
  [', of a usual type', { types: usual }],
  [', debit', { moved: 'debit' }],
  [', debit of a usual type', { moved: 'debit', types: usual }],
];

/** In every suite. */
export function transactionQuestions(middle: bigint): PlanQuestion[] {
  // Rare types, of which no account has many.
  const some: [string, Partial<TransactionsQuery>][] = [
    ['everybody, of a rare type', { types: { numbers: [40], except: false } }],
    [
      'everybody, of rare types that failed',
      { types: { numbers: [40, 11], except: false }, isSuccess: false } as const,
    ],
    ['everybody, of all but a type', { types: { numbers: [14], except: true } }],
    ['everybody, debit', { moved: 'debit' }],
    [`${quietAccount}, debit`, { moved: 'debit', accounts: { ...anyRange, equals: [quietAccount] } }],
    [
      `${hotAccount}, rare type`,
      { types: { numbers: [40], except: false }, accounts: { ...anyRange, equals: [hotAccount] } } as const,
    ],
  ];
  const rare = some.flatMap(([name, query]) => ask(name, query));
  const lists = hot.flatMap(([who, accounts]) =>
    filters.flatMap(([which, filter]) => {
      // For an account that is never or rarely charged, all rows are read.
      if (filter.moved && /^(98|800)/.test(who)) return [];
      return ask(`${who}${which}`, { ...filter, accounts });
    }),
  );
  const any = { nonce: null, scheduled: null };
  const names: PlanQuestion[] = [
    [
      'transaction by id',
      (ledger) => ledger.transactions.findById({ payerAccountId: hotAccount, validStart: middle - 1n }, any),
    ],
    [
      'scheduled transaction by id',
      (ledger) =>
        ledger.transactions.findById(
          { payerAccountId: hotAccount, validStart: middle - 1n },
          { nonce: 0n, scheduled: true },
        ),
    ],
    [
      'transaction by hash',
      (ledger) => ledger.transactions.findByHash(Buffer.concat([md5Twice('8'), md5Twice('8').subarray(0, 16)]), any),
    ],
    ['transaction by Ethereum hash', (ledger) => ledger.transactions.findByHash(md5Twice('8'), any)],
  ];
  return [...names, ...rare, ...lists];
}

/** The same lists from and until some time, in both orders. */
export function furtherTransactionQuestions(middle: bigint): PlanQuestion[] {
  const times: [string, Range][] = [
    ['until T', { ...anyRange, to: middle }],
    ['from T', { ...anyRange, from: middle }],
    ['not at T', { ...anyRange, notEquals: [middle] }],
  ];
  return hot.flatMap(([who, accounts]) =>
    times.flatMap(([when, timestamp]) =>
      filters
        .filter(([, { moved }]) => !moved)
        .flatMap(([which, filter]) =>
          (['asc', 'desc'] as const).flatMap((order) =>
            ask(`${who}, ${when}${which}, ${order}`, { ...filter, accounts, timestamp, order }),
          ),
        ),
    ),
  );
}

function ask(name: string, query: Partial<TransactionsQuery>): PlanQuestion[] {
  return [[`transactions of ${name}`, (ledger) => ledger.transactions.list({ ...everyTransaction, ...query })]];
}

/** As the ledger of these tests makes its hashes. */
function md5Twice(text: string): Buffer {
  return Buffer.concat([text, `${text}b`].map((part) => createHash('md5').update(part).digest()));
}
