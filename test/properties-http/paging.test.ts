// Whatever is asked, in either dialect: following `links.next` visits every item that the conditions allow exactly
// once, in order, and ends; every link is understood by the server that wrote it; a page that is not full has none.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { type Condition, isOfTypes, type KnownLedger, meets, type Operator, readKnownLedger } from './known-ledger.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';
import { walkPages } from './walk-pages.ts';

const dialectNames: readonly DialectName[] = ['spec', 'hiero'];
const dialects = fc.constantFrom(...dialectNames);
const orders = fc.constantFrom<'asc' | 'desc' | null>('asc', 'desc', null);
/** A place in a list, from its beginning to its end. */
const places = fc.integer({ min: 0, max: 999_999 }).map((millionth) => millionth / 1e6);
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(fc.constant(null), fc.constant(null), arbitrary);
const limits = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 100 }));
const nudges = fc.constantFrom(0n, 0n, 0n, -1n, 1n);
const numRuns = 150;
/** Most answers a run may take; longer lists are asked for in larger pages. */
const mostPages = 25;

type Drawn = { operator: Operator; place: number; nudge: bigint };
const draw = (...operators: Operator[]): fc.Arbitrary<Drawn[]> =>
  fc.array(fc.record({ operator: fc.constantFrom(...operators), place: places, nudge: nudges }), { maxLength: 3 });

function at<T>(list: readonly T[], place: number): T {
  return list[Math.min(list.length - 1, Math.floor(place * list.length))]!;
}

/** The mirror node's links do not end where there is an `eq` on what a list is sorted by; that is tested elsewhere. */
function toConditions(drawn: readonly Drawn[], values: readonly bigint[], dialect: DialectName): Condition[] {
  if (values.length === 0) return [];
  return drawn
    .filter(({ operator }) => dialect === 'spec' || operator !== 'eq')
    .map(({ operator, place, nudge }) => ({ operator, value: at(values, place) + nudge }));
}

const formatTimestamp = (ns: bigint) => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
const timestampParameters = (conditions: readonly Condition[]) =>
  conditions.map(({ operator, value }) => `timestamp=${operator}:${formatTimestamp(value)}`);

function readTimestamp(text: unknown): bigint {
  const [seconds, fraction] = String(text).split('.');
  return BigInt(seconds!) * 1_000_000_000n + BigInt(fraction!);
}

const toUrl = (path: string, parameters: readonly (string | null)[]) => {
  const given = parameters.filter((parameter) => parameter !== null);
  return given.length > 0 ? `${path}?${given.join('&')}` : path;
};

const inOrder = (values: Iterable<bigint>, order: 'asc' | 'desc') =>
  [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (order === 'asc' ? 1 : -1));

/** Large enough that a list is walked in `mostPages` steps. */
const roomyLimit = (limit: number, count: number) => Math.min(100, Math.max(limit, Math.ceil(count / mostPages)));

const all = ['busy', { seed: 'paging one', blocks: 22, transactionsPerBlock: 14 }] as const;

describe.each(isLong ? all.slice(1) : all.slice(0, 1))('the ledger %j', (ledger) => {
  let mirror: SimulatedMirror;
  let known: KnownLedger;
  beforeAll(async () => {
    mirror = await openSimulatedMirror(ledger);
    known = await readKnownLedger(mirror.db);
    expect(known.results.length).toBeGreaterThan(40);
    expect(known.synthetic.length).toBeGreaterThan(5);
    expect(known.schedules.length).toBeGreaterThan(5);
  });
  afterAll(() => mirror?.close());

  it('transactions of accounts', async () => {
    const types = fc.constantFrom('CRYPTOTRANSFER', 'cryptotransfer', 'CONTRACTCALL', 'TOKENMINT', 'SCHEDULESIGN');
    const question = fc.record({
      dialect: dialects,
      account: places,
      conditions: draw('lt', 'lte', 'gt', 'gte', 'lt', 'gt', 'eq'),
      type: sometimes(types),
      family: sometimes(sometimes(fc.constantFrom('UNKNOWN', 'NODE'))),
      more: sometimes(sometimes(types)),
      order: orders,
      limit: limits,
    });
    // An account that is created by a transaction of its own, asked for until that moment.
    const firstOwn = known.accounts.findIndex(({ id, created }) => {
      const times = known.transactionsOf(id).map(({ at }) => at);
      return inOrder(times, 'asc')[0] === created;
    });
    expect(firstOwn).toBeGreaterThanOrEqual(0);
    const untilCreated = {
      account: (firstOwn + 0.5) / known.accounts.length,
      conditions: [{ operator: 'lte' as const, place: 0, nudge: 0n }],
      type: null,
      family: null,
      more: null,
      order: null,
      limit: 1,
    };
    await fc.assert(
      fc.asyncProperty(question, async ({ dialect, account, conditions: drawn, type, family, more, order, limit }) => {
        const { id, created } = at(known.accounts, account);
        const all = known.transactionsOf(id);
        const times = inOrder(
          all.map((transaction) => transaction.at),
          'asc',
        );
        const conditions = toConditions(drawn, times, dialect);
        // The words of the document are in capitals.
        const named = dialect === 'spec' ? [family ?? type?.toUpperCase() ?? null] : [type, more];
        const names = named.filter((name) => name !== null);
        const expected = inOrder(
          all
            .filter((transaction) =>
              isOfTypes(
                transaction.type,
                names.map((name) => name.toUpperCase()),
                dialect,
              ),
            )
            .map((transaction) => transaction.at)
            .filter((time) => meets(time, conditions, { anyEqual: false })),
          order ?? 'desc',
        );
        const pageSize = roomyLimit(limit, expected.length);
        const url = toUrl(`/api/v1/accounts/0.0.${id}`, [
          ...timestampParameters(conditions),
          `limit=${pageSize}`,
          ...names.map((name) => `transactiontype=${name}`),
          order && `order=${order}`,
        ]);
        const { keys, status, answer } = await walkPages(mirror, {
          dialect,
          url,
          member: 'transactions',
          limit: pageSize,
          keyOf: (item) => readTimestamp(item.consensus_timestamp),
        });
        // Before its creation there is no account, at that moment there is. The mirror node's link leads before it all
        // the same, and to a 404.
        const lives = conditions.every(({ operator, value }) =>
          operator === 'lt' ? value > created : !/^(lte|eq)$/.test(operator) || value >= created,
        );
        if (status !== 200) {
          expect(answer!.text).toMatch(/Not found|Timestamp range is empty/);
          expect({ url, keys }).toEqual({ url, keys: lives && dialect === 'hiero' ? expected : [] });
        } else expect({ url, keys }).toEqual({ url, keys: expected });
      }),
      {
        numRuns,
        examples: dialectNames.map((dialect): [typeof untilCreated & { dialect: DialectName }] => [
          { ...untilCreated, dialect },
        ]),
      },
    );
  });

  it('contract results', async () => {
    const question = fc.record({
      dialect: dialects,
      conditions: draw('lt', 'lte', 'gt', 'gte', 'ne', 'eq'),
      block: sometimes(fc.record({ place: places, byHash: fc.boolean(), prefix: fc.boolean() })),
      sender: sometimes(places),
      transactionIndex: sometimes(fc.integer({ min: 0, max: 3 })),
      internal: fc.option(fc.boolean()),
      hbar: fc.option(fc.boolean()),
      order: orders,
      limit: limits,
    });
    const times = inOrder(
      [...known.results, ...known.synthetic].map((result) => result.at),
      'asc',
    );
    const senders = [...new Set(known.results.map(({ sender }) => sender))].filter((id) => id !== null);
    await fc.assert(
      fc.asyncProperty(question, async ({ dialect, conditions: drawn, order, ...wanted }) => {
        const conditions = toConditions(drawn, times, dialect);
        const block = wanted.block && at(known.blocks, wanted.block.place);
        const sender = wanted.sender === null ? null : at(senders, wanted.sender);
        const index = block ? wanted.transactionIndex : null;
        const fits = (result: { at: bigint; index: number | null }) =>
          meets(result.at, conditions, { anyEqual: true }) &&
          (!block || (result.at >= block.start && result.at <= block.end)) &&
          (index === null || result.index === index);
        const real = known.results.filter(
          (result) =>
            fits(result) &&
            result.status !== 312 &&
            (wanted.internal || result.nonce === 0) &&
            (sender === null || result.sender === sender),
        );
        const synthetic = sender === null ? known.synthetic.filter(fits) : [];
        const expected = inOrder(new Set([...real, ...synthetic].map((result) => result.at)), order ?? 'desc');
        const pageSize = roomyLimit(wanted.limit, expected.length);
        const hash = block?.hash.slice(0, wanted.block!.prefix ? 64 : 96);
        const url = toUrl('/api/v1/contracts/results', [
          ...timestampParameters(conditions),
          block ? (wanted.block!.byHash ? `block.hash=0x${hash}` : `block.number=${block.number}`) : null,
          sender === null ? null : `from=0.0.${sender}`,
          index === null ? null : `transaction.index=${index}`,
          wanted.internal === null ? null : `internal=${wanted.internal}`,
          wanted.hbar === null ? null : `hbar=${wanted.hbar}`,
          `limit=${pageSize}`,
          order && `order=${order}`,
        ]);
        const { keys, status } = await walkPages(mirror, {
          dialect,
          url,
          member: 'results',
          limit: pageSize,
          keyOf: (item) => readTimestamp(item.timestamp),
        });
        expect({ url, status, keys }).toEqual({
          url,
          status: 200,
          keys: expected,
        });
      }),
      { numRuns },
    );
  });

  it('schedules', async () => {
    const ids = inOrder(
      known.schedules.map(({ id }) => id),
      'asc',
    );
    const creators = inOrder(new Set(known.schedules.map(({ creator }) => creator)), 'asc');
    const operators: Operator[] = ['lt', 'lte', 'gt', 'gte', 'ne', 'eq'];
    const question = fc.record({
      dialect: dialects,
      schedules: draw(...operators),
      creators: draw(...operators),
      order: orders,
      limit: limits,
      form: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(question, async ({ dialect, schedules, creators: drawn, order, limit, form }) => {
        const byId = toConditions(schedules, ids, dialect);
        const byCreator = toConditions(drawn, creators, 'spec');
        const expected = inOrder(
          known.schedules
            .filter(({ creator }) => meets(creator, byCreator, { anyEqual: false }))
            .map(({ id }) => id)
            .filter((id) => meets(id, byId, { anyEqual: false })),
          order ?? 'asc',
        );
        const pageSize = roomyLimit(limit, expected.length);
        const show = (id: bigint) => [`0.0.${id}`, `${id}`, `0x${id.toString(16).padStart(40, '0')}`][form];
        const url = toUrl('/api/v1/schedules', [
          ...byId.map(({ operator, value }) => `schedule.id=${operator}:${show(value)}`),
          `limit=${pageSize}`,
          ...byCreator.map(({ operator, value }) => `account.id=${operator}:${show(value)}`),
          order && `order=${order}`,
        ]);
        const { keys, status } = await walkPages(mirror, {
          dialect,
          url,
          member: 'schedules',
          limit: pageSize,
          keyOf: (item) => BigInt(String(item.schedule_id).slice('0.0.'.length)),
        });
        expect({ url, status, keys }).toEqual({
          url,
          status: 200,
          keys: expected,
        });
      }),
      { numRuns },
    );
  });
});
