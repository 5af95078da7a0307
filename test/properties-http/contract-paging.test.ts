// Lists of contracts and of what they did: following `links.next` visits every item that the conditions allow exactly
// once, in order. What there is, is read from the tables without the product's queries.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../packages/test-support/http/answers.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';
import { walkPages } from './walk-pages.ts';

let mirror: SimulatedMirror;
/** By time and position. */
let logs: Log[];
let contracts: bigint[];
let results: { at: bigint; contract: bigint }[];
let slots: { contract: bigint; slot: string }[];
let actions: { hash: string; index: bigint }[];
type Log = { at: bigint; index: number; contract: bigint };

beforeAll(async () => {
  mirror = await openSimulatedMirror('busy');
  const select = <R>(name: string, text: string) => mirror.db.query<R>({ name: `known ${name}`, text });
  logs = await select(
    'logs',
    'select consensus_timestamp as at, index, contract_id as contract from contract_log order by 1, 2',
  );
  contracts = (
    await select<{ id: bigint }>('contracts', `select id from entity where type = 'CONTRACT' order by 1`)
  ).map(({ id }) => id);
  results = await select(
    'results of contracts',
    `select consensus_timestamp as at, contract_id as contract from contract_result
     where transaction_result <> 312 and transaction_nonce = 0
     union all
     (select distinct on (consensus_timestamp) consensus_timestamp, coalesce(root_contract_id, contract_id) from contract_log l
      where synthetic and not exists (select from contract_result r where r.consensus_timestamp = l.consensus_timestamp)
      order by consensus_timestamp, index)
     order by 1`,
  );
  slots = await select(
    'slots',
    `select contract_id as contract, '0x' || encode(slot, 'hex') as slot from contract_state order by contract_id, slot`,
  );
  actions = await select(
    'actions',
    `select encode(r.transaction_hash, 'hex') as hash, a.index::int8 as index
     from contract_action a join contract_result r using (consensus_timestamp)
     where r.transaction_result = 22 order by 1, a.index`,
  );
  for (const list of [logs, contracts, results, slots, actions]) expect(list.length).toBeGreaterThan(5);
});
afterAll(() => mirror?.close());

const dialects = fc.constantFrom<DialectName>('spec', 'hiero');
const orders = fc.constantFrom<'asc' | 'desc'>('asc', 'desc');
const pages = { dialect: dialects, order: orders, limit: fc.integer({ min: 1, max: 30 }), place: fc.nat() };
const runs = { numRuns: 60 };

const inOrder = <T>(items: readonly T[], order: 'asc' | 'desc'): T[] =>
  order === 'asc' ? [...items] : [...items].reverse();
const pick = <T>(items: readonly T[], place: number): T => items[place % items.length]!;
const formatTime = (ns: bigint): string => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;

type Bounds = { lower: string; upper: string; on: boolean; position: boolean };
const bounds = fc.record<Bounds>({
  lower: fc.constantFrom('', 'gt', 'gte', 'gte'),
  upper: fc.constantFrom('', 'lt', 'lte', 'lte'),
  on: fc.boolean(),
  position: fc.boolean(),
});

it('logs of all contracts and of one, between any two of them', async () => {
  const question = fc.record({ ...pages, bounds, second: fc.nat(), whose: fc.option(fc.nat()) });
  await fc.assert(
    fc.asyncProperty(question, async ({ dialect, order, limit, place, second, bounds: wanted, whose }) => {
      const contract = whose === null ? null : pick(logs, whose).contract;
      const [from, to] = [place % logs.length, second % logs.length].sort((a, b) => a - b).map((at) => logs[at]!);
      const { lower, upper } = wanted.on ? wanted : { lower: '', upper: '' };
      // A bound on the position needs one on the time that takes it in.
      const first = wanted.position && lower === 'gte';
      const last = wanted.position && upper === 'lte';
      const parameters = [
        lower && `timestamp=${lower}:${formatTime(from!.at)}`,
        upper && `timestamp=${upper}:${formatTime(to!.at)}`,
        first && `index=gt:${from!.index}`,
        last && `index=lte:${to!.index}`,
        `limit=${limit}`,
        `order=${order}`,
      ].filter((text) => text);
      const moment = lower === 'gte' && upper === 'lte' && from!.at === to!.at;
      const isLeft = ({ at, index }: Log): boolean => {
        if (lower && (lower === 'gt' ? at <= from!.at : at < from!.at)) return false;
        if (upper && (upper === 'lt' ? at >= to!.at : at > to!.at)) return false;
        if (first && (moment || at === from!.at) && index <= from!.index) return false;
        return !(last && (moment || at === to!.at) && index > to!.index);
      };
      const path =
        contract === null ? '/api/v1/contracts/results/logs' : `/api/v1/contracts/0.0.${contract}/results/logs`;
      const expected = inOrder(
        logs.filter((log) => isLeft(log) && (contract === null || log.contract === contract)),
        order,
      ).map(({ at, index }) => `${formatTime(at)}/${index}`);
      const url = `${path}?${parameters.join('&')}`;
      const keyOf = ({ timestamp, index }: JsonObject) => `${String(timestamp)}/${String(index)}`;
      const { keys, status } = await walkPages(mirror, { dialect, url, member: 'logs', limit, keyOf });
      expect({ url, status, keys }).toEqual({ url, status: 200, keys: expected });
    }),
    { numRuns: 150 },
  );
});

it.each<
  [
    name: string,
    member: string,
    ask: (place: number) => { path: string; keys: string[] },
    keyOf: (item: JsonObject) => unknown,
  ]
>([
  [
    'contracts',
    'contracts',
    () => ({ path: '/api/v1/contracts', keys: contracts.map((id) => `0.0.${id}`) }),
    (item) => item.contract_id,
  ],
  [
    'results of one contract',
    'results',
    (place) => {
      // `contracts/0/results` is the list of all in `hiero`.
      const named = results.filter((result) => String(result.contract) !== '0');
      const { contract } = pick(named, place);
      const keys = named.filter((result) => result.contract === contract).map(({ at }) => formatTime(at));
      return { path: `/api/v1/contracts/0.0.${contract}/results`, keys };
    },
    (item) => item.timestamp,
  ],
  [
    'storage of one contract',
    'state',
    (place) => {
      const { contract } = pick(slots, place);
      const keys = slots.filter((slot) => slot.contract === contract).map(({ slot }) => slot);
      return { path: `/api/v1/contracts/0.0.${contract}/state`, keys };
    },
    (item) => item.slot,
  ],
  [
    'calls of one transaction',
    'actions',
    (place) => {
      const { hash } = pick(actions, place);
      const keys = actions.filter((action) => action.hash === hash).map(({ index }) => String(index));
      return { path: `/api/v1/contracts/results/${hash}/actions`, keys };
    },
    (item) => String(item.index),
  ],
])('%s', async (_name, member, ask, keyOf) => {
  await fc.assert(
    fc.asyncProperty(fc.record(pages), async ({ dialect, order, limit, place }) => {
      const { path, keys: all } = ask(place);
      const url = `${path}?order=${order}&limit=${limit}`;
      const { keys, status } = await walkPages(mirror, { dialect, url, member, limit, keyOf });
      // `0.0.0` stands for no contract, which no path names.
      expect({ url, status, keys }).toEqual({ url, status: 200, keys: inOrder(all, order) });
    }),
    runs,
  );
});
