// Lists of transactions and of messages: following `links.next` visits every item that the conditions allow exactly
// once, in order. What there is, is read from the tables without the product's queries.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isSuccess } from '../../packages/protocol/hapi/response-codes.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { type KnownLedger, readKnownLedger } from './known-ledger.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';
import { walkPages } from './walk-pages.ts';

let mirror: SimulatedMirror;
let known: KnownLedger;
/** By time. */
let transactions: { at: bigint; type: number; result: number }[];
let transfers: { at: bigint; account: bigint; amount: bigint }[];
let messages: { at: bigint; topic: bigint; number: bigint }[];

beforeAll(async () => {
  mirror = await openSimulatedMirror('busy');
  known = await readKnownLedger(mirror.db);
  const select = <R>(name: string, text: string) => mirror.db.query<R>({ name: `known ${name}`, text });
  transactions = await select(
    'all transactions',
    'select consensus_timestamp as at, type, result from transaction order by 1',
  );
  transfers = await select(
    'transfers',
    `select consensus_timestamp as at, entity_id as account, amount from crypto_transfer
     union all select consensus_timestamp, account_id, amount from token_transfer`,
  );
  messages = await select(
    'messages',
    'select consensus_timestamp as at, topic_id as topic, sequence_number as number from topic_message order by 1',
  );
  for (const list of [transactions, transfers, messages]) expect(list.length).toBeGreaterThan(5);
});
afterAll(() => mirror?.close());

const pages = {
  dialect: fc.constantFrom<DialectName>('spec', 'hiero'),
  order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  limit: fc.integer({ min: 5, max: 60 }),
};
const runs = { numRuns: 60 };

const inOrder = (keys: Iterable<bigint>, order: 'asc' | 'desc'): bigint[] =>
  [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (order === 'asc' ? 1 : -1));
const pick = <T>(items: readonly T[], place: number): T => items[place % items.length]!;
const formatTime = (ns: bigint): string => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
const readTime = (text: unknown): bigint => BigInt(String(text).replace('.', ''));

it('transactions of all accounts and of some', async () => {
  const question = fc.record({
    ...pages,
    from: fc.option(fc.nat()),
    to: fc.option(fc.nat()),
    accounts: fc.array(fc.nat(), { maxLength: 3 }),
    result: fc.constantFrom(null, null, 'success', 'fail'),
    type: fc.constantFrom(null, null, 'credit', 'debit'),
  });
  await fc.assert(
    fc.asyncProperty(question, async ({ dialect, order, limit, from, to, accounts, result, type }) => {
      const first = from === null ? null : pick(transactions, from).at;
      const last = to === null ? null : pick(transactions, to).at;
      const ids = accounts.map((place) => pick(known.accounts, place).id);
      const moves = (amount: bigint) => (type === 'credit' ? amount > 0n : amount < 0n);
      const takesPart = type
        ? new Set(
            transfers
              .filter(({ account, amount }) => moves(amount) && (ids.length === 0 || ids.includes(account)))
              .map(({ at }) => at),
          )
        : ids.length > 0
          ? new Set(ids.flatMap((id) => known.transactionsOf(id).map(({ at }) => at)))
          : null;
      const expected = transactions.filter(
        ({ at, result: code }) =>
          (first === null || at >= first) &&
          (last === null || at < last) &&
          (takesPart === null || takesPart.has(at)) &&
          (result === null || isSuccess(code) === (result === 'success')),
      );
      const parameters = [
        `limit=${limit}`,
        `order=${order}`,
        ...(first === null ? [] : [`timestamp=gte:${formatTime(first)}`]),
        ...ids.map((id) => `account.id=0.0.${id}`),
        ...(result ? [`result=${result}`] : []),
        ...(type ? [`type=${type}`] : []),
        ...(last === null ? [] : [`timestamp=lt:${formatTime(last)}`]),
      ];
      const url = `/api/v1/transactions?${parameters.join('&')}`;
      await expectPages({ dialect, url, member: 'transactions', limit, order }, expected);
    }),
    runs,
  );
});

it('messages of a topic', async () => {
  const question = fc.record({
    ...pages,
    limit: fc.integer({ min: 1, max: 5 }),
    topic: fc.nat(),
    from: fc.option(fc.integer({ min: 1, max: 9 })),
    unequal: fc.option(fc.nat()),
  });
  await fc.assert(
    fc.asyncProperty(question, async ({ dialect, order, limit, topic: place, from, unequal }) => {
      const { topic } = pick(messages, place);
      const excluded = unequal === null ? null : pick(messages, unequal).at;
      const expected = messages.filter(
        (message) => message.topic === topic && (from === null || message.number >= from) && message.at !== excluded,
      );
      const parameters = [`limit=${limit}`, `order=${order}`, ...(from === null ? [] : [`sequencenumber=gte:${from}`])];
      if (excluded !== null) parameters.push(`timestamp=gt:0`, `timestamp=ne:${formatTime(excluded)}`);
      const url = `/api/v1/topics/0.0.${topic}/messages?${parameters.join('&')}`;
      await expectPages({ dialect, url, member: 'messages', limit, order }, expected);
    }),
    runs,
  );
});

type Walk = { dialect: DialectName; url: string; member: string; limit: number; order: 'asc' | 'desc' };

/** The pages have these, each once and in order. */
async function expectPages({ order, ...walk }: Walk, expected: readonly { at: bigint }[]): Promise<void> {
  const keyOf = (item: { consensus_timestamp?: unknown }) => readTime(item.consensus_timestamp as string);
  const { keys, status } = await walkPages(mirror, { ...walk, keyOf });
  const times = expected.map(({ at }) => at);
  expect([status, keys]).toEqual([200, inOrder(times, order)]);
}
