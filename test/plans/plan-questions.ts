// Questions to the ledger for plans: those that once had a bad plan in every suite, and every documented filter in both
// directions in the long one.

import { anyRange, toRange } from '../../packages/kit/range.ts';
import type { ContractResultsFilter } from '../../packages/store/read/select-contract-results.ts';
import type { SchedulesFilter } from '../../packages/store/read/select-schedules.ts';
import { hotAccount, hotTopic, quietAccount } from '../../packages/test-support/rows/fill-ledger.ts';
import type { AccountTransactionsQuery } from '../../src/ledger/accounts/account.ts';
import { ProofUnavailable } from '../../src/ledger/proofs/proof-unavailable.ts';
import { tokenOrders } from '../../src/ledger/tokens/create-tokens.ts';
import { accountQuestions } from './account-questions.ts';
import { chainQuestions } from './chain-questions.ts';
import { contractQuestions } from './contract-questions.ts';
import { hookQuestions } from './hook-questions.ts';
import type { PlanQuestion } from './plan-question.ts';
import { furtherTopicQuestions, topicQuestions } from './topic-questions.ts';
import { furtherTransactionQuestions, transactionQuestions } from './transaction-questions.ts';

/** As an answer takes them. */
const ofBlocks = { members: ['count', 'hash', 'name', 'previousHash', 'size'] as const };
const noSender = { equals: [], others: [] };
const results: ContractResultsFilter = {
  sender: noSender,
  block: null,
  transactionIndexes: [],
  internal: false,
  timestamp: anyRange,
  synthetic: true,
  order: 'desc',
  limit: 25,
};
const transactions: Omit<AccountTransactionsQuery, 'accountId'> = {
  timestamp: anyRange,
  types: null,
  order: 'desc',
  limit: 25,
};
const schedules: SchedulesFilter = { accountId: anyRange, scheduleId: anyRange, order: 'asc', limit: 25 };
const everyAccount = [hotAccount, quietAccount, 98n, 3n, 800n, 55n];
const address = Buffer.from('6c8e7e1ae4b8f3d10e2b8e2f3bd0d1d0b6a9f000', 'hex');

const days = { from: 19_000, until: 20_000, step: 7 };

const noWish = { known: null, key: null, book: null, items: null };

/** No source is known here. */
async function orReason(made: Promise<unknown>): Promise<unknown> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof ProofUnavailable) return error.message;
    throw error;
  }
}

/** Ranges of time around `middle`. */
function timesAround(middle: bigint) {
  const span = { ...anyRange, from: middle, to: middle + 3_600_000_000_000n };
  const before = { ...anyRange, to: middle };
  const after = { ...anyRange, from: middle };
  const moment = { ...anyRange, equals: [middle] };
  const others = { ...before, notEquals: [middle, middle - 1n] };
  return { others, all: [anyRange, span, before, after, moment, others] };
}

export function planQuestions(middle: bigint): PlanQuestion[] {
  const { others, all: times } = timesAround(middle);
  return [
    ['token', (ledger) => ledger.tokens.find({ tokenId: 100_500n, until: null })],
    ['token as of T', (ledger) => ledger.tokens.find({ tokenId: 100_500n, until: middle - 1n })],
    ...chainQuestions(middle),
    ['the block of a time', (ledger) => ledger.blocks.findAt(middle, ofBlocks)],
    ['proof of a block', (ledger) => orReason(ledger.proofs.ofBlock({ number: 500n }, noWish))],
    ['proof of a block by hash', (ledger) => orReason(ledger.proofs.ofBlock({ hashPrefix: '0'.repeat(64) }, noWish))],
    [
      'proof of a transaction',
      (ledger) => orReason(ledger.proofs.ofTransaction({ of: 'transaction', timestamp: middle }, noWish)),
    ],
    ['blocks to send on', (ledger) => ledger.blockFiles.numbersAfter(500n, 100)],
    ['a block to send on', (ledger) => ledger.blockFiles.find(500n)],
    [
      'first and last block',
      (ledger) => Promise.all([ledger.blockFiles.outermost('first'), ledger.blockFiles.outermost('last')]),
    ],
    ['a kept block', async (ledger) => (await ledger.blockFiles.keptParts({ consensusEnd: middle }).next()).done],
    // `throughput` is not among them: its first look reads a day of blocks, which is all of them here.
    ['topic', (ledger) => ledger.topics.find(100_700n)],
    ...(['asc', 'desc'] as const).map(
      (order): PlanQuestion => [
        `topics, ${order}`,
        (ledger) => ledger.topics.list({ id: { ...anyRange, to: 100_700n }, order, limit: 25 }),
      ],
    ),
    ['exchange rate', (ledger) => ledger.network.exchangeRate({ from: null, to: null })],
    ['exchange rate as of T', (ledger) => ledger.network.exchangeRate({ from: 1n, to: middle })],
    ['price of gas', (ledger) => ledger.network.gasFees({ from: null, to: middle })],
    ['stake of the network', (ledger) => ledger.network.stake()],
    ['supply', (ledger) => ledger.network.supply(null)],
    ['supply as of T', (ledger) => ledger.network.supply({ from: null, to: middle })],
    ...(['asc', 'desc'] as const).flatMap((order) =>
      [anyRange, { ...anyRange, from: 3n }, { ...anyRange, equals: [1n, 2n] }].map(
        (nodeId): PlanQuestion => [
          `nodes, ${order}, ${describeBounds(nodeId)}`,
          (ledger) => ledger.network.nodes({ fileId: null, nodeId, order, limit: 10 }),
        ],
      ),
    ),
    ['accounts by EVM address', (ledger) => ledger.accounts.resolve({ kind: 'evmAddress', address })],
    ['accounts by alias', (ledger) => ledger.accounts.resolve({ kind: 'alias', alias: address })],
    ...[hotAccount, quietAccount].flatMap((id): PlanQuestion[] => [
      [`account ${id}`, (ledger) => ledger.accounts.find({ id, timestamp: null, tokenBalanceLimit: 100 })],
      [`account ${id} as of T`, (ledger) => ledger.accounts.find({ id, timestamp: others, tokenBalanceLimit: 100 })],
    ]),
    ...everyAccount.flatMap((accountId) =>
      times.flatMap((timestamp) =>
        (['asc', 'desc'] as const).map(
          (order): PlanQuestion => [
            `transactions of ${accountId}, ${order}, ${describeBounds(timestamp)}`,
            (ledger) => ledger.accounts.listTransactions({ ...transactions, accountId, timestamp, order }),
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
            (ledger) => ledger.accounts.listTransactions({ ...transactions, accountId, types, order }),
          ],
        ),
      ),
    ),
    [
      'transactions of all other types',
      (ledger) =>
        ledger.accounts.listTransactions({
          ...transactions,
          accountId: hotAccount,
          types: { numbers: [40], except: true },
        }),
    ],
    ['contract', (ledger) => ledger.contracts.find({ reference: { kind: 'id', id: 1500n }, timestamp: anyRange })],
    [
      'contract by EVM address',
      (ledger) => ledger.contracts.find({ reference: { kind: 'evmAddress', address }, timestamp: anyRange }),
    ],
    [
      'contract as of T',
      (ledger) =>
        ledger.contracts.find({
          reference: { kind: 'id', id: 1500n },
          timestamp: toRange([{ operator: 'lte', value: middle }]),
        }),
    ],
    [
      'contract by EVM address as of T',
      (ledger) =>
        ledger.contracts.find({
          reference: { kind: 'evmAddress', address },
          timestamp: toRange([{ operator: 'lt', value: middle }]),
        }),
    ],
    ...times.flatMap((timestamp) =>
      (['asc', 'desc'] as const).map(
        (order): PlanQuestion => [
          `contract results, ${order}, ${describeBounds(timestamp)}`,
          (ledger) => ledger.contractResults.list({ ...results, timestamp, order }),
        ],
      ),
    ),
    ['contract results, internal', (ledger) => ledger.contractResults.list({ ...results, internal: true })],
    ...[hotAccount, 1105n, 55n].map(
      (id): PlanQuestion => [
        `contract results of ${id}`,
        (ledger) => ledger.contractResults.list({ ...results, sender: { equals: [id], others: [] } }),
      ],
    ),
    ['contract results of a block', (ledger) => ledger.contractResults.list({ ...results, block: { number: 5000n } })],
    [
      'contract results of a block by hash',
      (ledger) =>
        ledger.contractResults.list({ ...results, block: { hashPrefix: '0cc175b9c0f1b6a831c399e269772661' } }),
    ],
    [
      'contract results of a block by index',
      (ledger) => ledger.contractResults.list({ ...results, block: { number: 5000n }, transactionIndexes: [1n, 2n] }),
    ],
    ['schedules', (ledger) => ledger.schedules.list(schedules)],
    ['schedules, newest', (ledger) => ledger.schedules.list({ ...schedules, order: 'desc' })],
    [
      'schedules from an id',
      (ledger) => ledger.schedules.list({ ...schedules, scheduleId: { ...anyRange, from: 105_001n } }),
    ],
    [
      'schedules of the hot creator',
      (ledger) => ledger.schedules.list({ ...schedules, accountId: { ...anyRange, equals: [hotAccount] } }),
    ],
    [
      'schedules of a creator',
      (ledger) => ledger.schedules.list({ ...schedules, accountId: { ...anyRange, equals: [1103n] } }),
    ],
    ['schedule', (ledger) => ledger.schedules.find(104_000n)],
    ['search: id', (ledger) => ledger.search({ kind: 'id', id: 100_500n })],
    ['search: hash of a transaction', (ledger) => ledger.search({ kind: 'hash', hash: Buffer.alloc(32, 7) })],
    ['search: number of a block', (ledger) => ledger.search({ kind: 'blockNumber', number: 7n })],
    ['search: hash of a block', (ledger) => ledger.search({ kind: 'hash', hash: Buffer.alloc(48, 7) })],
    [
      'search: id of a transaction',
      (ledger) => ledger.search({ kind: 'transactionId', payerAccountId: hotAccount, validStart: middle }),
    ],
    ['search: public key', (ledger) => ledger.search({ kind: 'publicKey', key: 'ab'.repeat(32) })],
    ['search: number of an entity', (ledger) => ledger.search({ kind: 'numbered', id: hotTopic, number: 5001n })],
    ['search: symbol', (ledger) => ledger.search({ kind: 'tokenSymbol', symbol: 'T7' })],
    ['search: NFT', (ledger) => ledger.search({ kind: 'numbered', id: 100_500n, number: 1n })],
    ['search: part of a name', (ledger) => ledger.search({ kind: 'tokenName', part: 'oken 7' })],
    [
      'tokens with their totals',
      (ledger) =>
        ledger.tokens.list({
          ...{ accountId: null, id: anyRange, names: [], publicKey: [], type: [], order: 'desc', limit: 25 },
          members: ['name', 'transfers', 'holders'],
        }),
    ],
    ['totals of tokens', (ledger) => ledger.tokens.totals([100_500n, 100_501n])],
    ...tokenOrders.flatMap((by) =>
      [null, { count: by === 'name' ? null : 5n, tokenId: 100_500n }].map(
        (after): PlanQuestion => [
          `tokens in the order of ${by}${after ? ', further ones' : ''}`,
          (ledger) => ledger.tokens.listInOrder({ by, after, limit: 25 }),
        ],
      ),
    ),
    ['search: timestamp', (ledger) => ledger.search({ kind: 'timestamp', timestamp: middle })],
    ...(['asc', 'desc'] as const).flatMap((order): PlanQuestion[] => {
      const blocks = { ...ofBlocks, number: anyRange, timestamp: anyRange, by: 'timestamp' as const, order, limit: 25 };
      const number = { ...anyRange, from: 5000n };
      return [
        [`blocks, ${order}`, (ledger) => ledger.blocks.list(blocks)],
        [`blocks from a number, ${order}`, (ledger) => ledger.blocks.list({ ...blocks, number, by: 'number' })],
        [
          `blocks of a time, ${order}`,
          (ledger) => ledger.blocks.list({ ...blocks, timestamp: { ...anyRange, to: middle } }),
        ],
      ];
    }),
    ...contractQuestions(middle),
    ...topicQuestions(middle),
    ...hookQuestions(middle),
    ...transactionQuestions(middle),
    ...[true, false].flatMap((withProof): PlanQuestion[] => {
      const asked = { ...ofBlocks, withProof };
      const proof = withProof ? ' with its proof' : '';
      return [
        [`block by number${proof}`, (ledger) => ledger.blocks.find({ number: 5000n }, asked)],
        [
          `block by hash${proof}`,
          (ledger) => ledger.blocks.find({ hashPrefix: '0cc175b9c0f1b6a831c399e269772661' }, asked),
        ],
      ];
    }),
    ...accountQuestions(middle),
    ['fees of a block', (ledger) => ledger.blocks.fees({ consensusStart: middle, consensusEnd: middle + 1n })],
    ['counted days', (ledger) => ledger.days.known()],
    ['days', (ledger) => ledger.days.sums(days)],
    ['types of days', (ledger) => ledger.days.typeSums(days)],
    ['price of gas now', (ledger) => ledger.days.gasPriceNow()],
    ['readiness', (ledger) => ledger.isReady()],
    ['machines', (ledger) => ledger.machines()],
    ['examples', (ledger) => ledger.examples()],
    ['first transaction', (ledger) => ledger.transactions.firstTimestamp()],
  ];
}

const orders = ['asc', 'desc'] as const;
const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

export function everyFilter(middle: bigint): PlanQuestion[] {
  const { all: times } = timesAround(middle);
  const questions: PlanQuestion[] = [];
  const add = (name: string, ask: PlanQuestion[1]) => questions.push([name, ask]);

  for (const operator of ['eq', 'lt', 'lte'] as const) {
    add(`token ${operator} T`, (ledger) =>
      ledger.tokens.find({ tokenId: 100_700n, until: operator === 'lt' ? middle - 1n : middle }),
    );
  }
  for (const operator of operators) {
    const timestamp = toRange([{ operator, value: middle }]);
    add(`contract ${operator} T`, (ledger) =>
      ledger.contracts.find({ reference: { kind: 'id', id: 1500n }, timestamp }),
    );
    add(`contract by address ${operator} T`, (ledger) =>
      ledger.contracts.find({ reference: { kind: 'evmAddress', address }, timestamp }),
    );
  }
  for (const timestamp of times) {
    for (const id of everyAccount) {
      add(`account ${id}, ${describeBounds(timestamp)}`, (ledger) =>
        ledger.accounts.find({ id, timestamp, tokenBalanceLimit: 1000 }),
      );
      for (const order of orders) {
        for (const limit of [1, 100]) {
          for (const types of [null, { numbers: [14], except: false }, { numbers: [40], except: false }]) {
            add(
              `${limit} transactions of ${id}, ${order}, ${describeBounds(timestamp)}, ${types?.numbers ?? 'any'}`,
              (ledger) => ledger.accounts.listTransactions({ accountId: id, timestamp, types, order, limit }),
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
          add(name, (ledger) => ledger.contractResults.list(query));
          for (const id of [hotAccount, 1105n, 55n]) {
            const sender = { equals: [id], others: [] };
            add(`${name} of ${id}`, (ledger) => ledger.contractResults.list({ ...query, sender }));
          }
          for (const block of [
            { number: 5000n },
            { number: 10n ** 15n },
            { hashPrefix: '0cc175b9c0f1b6a831c399e269772661' },
          ]) {
            add(`${name} of block ${Object.values(block)}`, (ledger) =>
              ledger.contractResults.list({ ...query, block }),
            );
            add(`${name} of block ${Object.values(block)} by index`, (ledger) =>
              ledger.contractResults.list({ ...query, block, transactionIndexes: [1n] }),
            );
          }
        }
      }
    }
  }
  for (const order of orders) {
    for (const operator of operators) {
      const ids = toRange([{ operator, value: 105_000n }]);
      add(`schedules ${operator}, ${order}`, (ledger) =>
        ledger.schedules.list({ ...schedules, order, scheduleId: ids }),
      );
      for (const creator of [hotAccount, 1103n]) {
        add(`schedules of ${operator} ${creator}, ${order}`, (ledger) =>
          ledger.schedules.list({ ...schedules, order, accountId: toRange([{ operator, value: creator }]) }),
        );
      }
    }
  }
  return [
    ...planQuestions(middle),
    ...questions,
    ...furtherTopicQuestions(middle),
    ...furtherTransactionQuestions(middle),
  ];
}

function describeBounds(timestamp: typeof anyRange): string {
  const { from, to, equals, notEquals } = timestamp;
  return (
    [from && 'from', to && 'to', equals.length && 'equal', notEquals.length && 'unequal'].filter(Boolean).join(' ') ||
    'any time'
  );
}
