// Of every list endpoint, whatever is asked of it: following `links.next` gives exactly the items of one big page, in
// its order; each link is answered 200 by the server that wrote it; the last page has none.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeededRandom, type SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import type { JsonObject } from '../../packages/test-support/http/answers.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import type { Endpoint } from '../../src/api/endpoint/endpoint.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import { type LedgerWords, readLedgerWords } from '../fuzz/ledger-words.ts';
import { makeGoodValue } from '../fuzz/make-good-request.ts';
import { isValueKind } from '../fuzz/make-value.ts';
import { shortenRequest } from '../fuzz/shorten-request.ts';
import { crowdLists } from './crowded-lists.ts';
import { type ListGrammar, listGrammars } from './list-grammars.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';

const bigLimit = 2000;
const maxQuestions = isLong ? 300 : 100;
/** Longer lists are walked in larger pages. */
const mostPages = 15;
const dialects: readonly DialectName[] = ['spec', 'hiero'];

/** Whatever has pages; taken from the endpoints, so that none is forgotten. */
const listEndpoints = endpoints.filter(({ query, next }) => 'limit' in query || next.length > 0);

let mirror: SimulatedMirror;
let words: LedgerWords;
beforeAll(async () => {
  const settings = { limitMax: bigLimit };
  mirror = await openSimulatedMirror({ seed: 'every list', blocks: 30, transactionsPerBlock: 16 }, settings);
  await crowdLists(mirror.db);
  words = await readLedgerWords(mirror.db);
});
afterAll(() => mirror?.close());

it.skipIf(isLong)('every list endpoint has a grammar, with all keys by which its pages begin', () => {
  expect(Object.keys(listGrammars).sort()).toEqual(listEndpoints.map(({ id }) => id).sort());
  for (const { id, next, query } of listEndpoints) {
    const { values } = listGrammars[id]!;
    expect([id, next.filter((name) => !(name in values))]).toEqual([id, []]);
    expect([id, Object.keys(values).filter((name) => !(name in query))]).toEqual([id, []]);
    expect(next.length).toBeGreaterThan(0);
  }
});

describe('following the links gives what one big page has', () => {
  it.each(listEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (id, endpoint) => {
    const grammar = listGrammars[id]!;
    const lists = await readLists(grammar);
    const random = createSeededRandom('every list', id);
    const faults: string[] = [];
    const count = { refused: 0, walked: 0 };
    const forms = makeForms(random, endpoint);
    for (const form of forms) {
      const question = makeQuestion(random, { endpoint, grammar, list: random.pick(lists), form });
      const pages = await walk(question);
      if (pages.kind === 'refused') count.refused++;
      if (pages.kind === 'right' && pages.requests > 1) count.walked++;
      if (pages.kind === 'wrong') faults.push(await shorten(question));
    }
    expect([...new Set(faults)].join('\n')).toBe('');
    // Enough of the questions are let in, and of the lists long enough for several pages.
    expect(count.refused).toBeLessThan(forms.length * 0.8);
    expect(count.walked).toBeGreaterThan(forms.length * 0.05);
  });
});

/** `items`: ascending. */
type List = { path: string; items: readonly JsonObject[] };

/** The longest ones and some of the others. */
async function readLists({ paths, member }: ListGrammar): Promise<List[]> {
  const found = await mirror.db.query<{ path: string; count: bigint }>({
    name: '',
    text: `select path, count(*) as count from (${paths}) rows group by path order by count desc, path limit 40`,
  });
  const chosen = found.filter((_, place) => place < 4 || place % 8 === 0);
  const lists = await Promise.all(
    chosen.map(async ({ path }) => {
      const { status, body } = await mirror.get('spec', `${path}?limit=${bigLimit}&order=asc`);
      expect([path, status]).toEqual([path, 200]);
      return { path, items: body[member] as JsonObject[] };
    }),
  );
  return lists.filter(({ items }) => items.length > 1);
}

/** What the conditions on one key are. */
type Shape = 'none' | 'exact' | 'several' | 'lower' | 'upper' | 'both' | 'unequal' | 'any';
const shapes: readonly Shape[] = ['none', 'exact', 'several', 'lower', 'upper', 'both'];
/** Which lists of several keys refuse. */
const furtherShapes: readonly Shape[] = ['unequal', 'any'];

type Form = { dialect: DialectName; order: 'asc' | 'desc'; ofKeys: readonly Shape[] };

/** Every combination of shapes of the keys, in any order; of three keys some. */
function makeForms(random: SeededRandom, { next }: Endpoint): Form[] {
  const ofOne = next.length > 1 ? shapes : [...shapes, ...furtherShapes];
  let ofKeys: Shape[][] = [[]];
  for (const _ of next) ofKeys = ofKeys.flatMap((before) => ofOne.map((shape) => [...before, shape]));
  const forms = ofKeys.flatMap((shapesOfKeys) =>
    dialects.flatMap((dialect) =>
      (['asc', 'desc'] as const).map((order) => ({ dialect, order, ofKeys: shapesOfKeys })),
    ),
  );
  for (let at = forms.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [forms[at], forms[other]] = [forms[other]!, forms[at]!];
  }
  return forms.slice(0, maxQuestions);
}

/** `query`: all but the limit. */
type Question = { dialect: DialectName; path: string; member: string; query: readonly string[]; limit: number };

type Asked = { endpoint: Endpoint; grammar: ListGrammar; list: List; form: Form };

function makeQuestion(random: SeededRandom, { endpoint, grammar, list, form }: Asked): Question {
  const { member, values, unpaged = [], never = [] } = grammar;
  const { path, items } = list;
  const { dialect, order, ofKeys } = form;
  const query = order === 'asc' && random.chance(0.2) ? [] : [`order=${order}`];
  for (const [name, { kind, formatKey }] of Object.entries(endpoint.query)) {
    if (name === 'limit' || name === 'order' || unpaged.includes(name)) continue;
    const place = endpoint.next.indexOf(name);
    const textOf = values[name];
    if (place < 0 && !random.chance(textOf ? 0.12 : 0.05)) continue;
    if (!textOf) {
      if (!isValueKind(kind)) throw new Error(`${endpoint.id}: no text of the kind "${kind}" can be made`);
      query.push(`${name}=${makeGoodValue(kind, random, words)}`);
      continue;
    }
    const shape = place < 0 ? random.pick(shapes) : ofKeys[place]!;
    const isCompared = Boolean(formatKey) || kind === 'amount';
    for (const { operator, at } of makeConditions(random, isCompared ? shape : 'exact', items.length)) {
      const value = textOf(items[at]!);
      if (value === null || value === undefined || never.includes(operator)) continue;
      query.push(`${name}=${operator}${nudge(String(value), random)}`);
    }
  }
  const inOne = endpoint.peer.java && dialect === 'hiero' && random.chance(0.2);
  return { dialect, path, member, query: inOne ? joinValues(query) : query, limit: random.pick([1, 1, 2, 2, 3, 4, 7]) };
}

/** `at`: of which item the value is. A lower bound lies before an upper one. */
type Condition = { operator: string; at: number };

function makeConditions(random: SeededRandom, shape: Shape, count: number): Condition[] {
  const [first, second] = [random.below(count), random.below(count)];
  const lower = { operator: random.pick(['gt:', 'gte:', 'gte:']), at: Math.min(first, second) };
  const upper = { operator: random.pick(['lt:', 'lte:', 'lte:']), at: Math.max(first, second) };
  const exact = () => ({ operator: random.pick(['', 'eq:']), at: random.below(count) });
  const unequal = { operator: 'ne:', at: first };
  const made: Record<Shape, () => Condition[]> = {
    none: () => [],
    exact: () => [exact()],
    several: () => Array.from({ length: random.integer(2, 4) }, exact),
    lower: () => [lower],
    upper: () => [upper],
    both: () => [lower, upper],
    unequal: () => [unequal],
    any: () => [lower, upper, exact(), exact(), unequal].filter(() => random.chance(0.6)),
  };
  return made[shape]();
}

/** Several values of a parameter between commas, which Java takes for several. */
function joinValues(query: readonly string[]): string[] {
  const byName = Map.groupBy(query, (pair) => pair.slice(0, pair.indexOf('=')));
  return [...byName].map(([name, pairs]) => `${name}=${pairs.map((pair) => pair.slice(name.length + 1)).join()}`);
}

/** As it is, or sometimes next to it: the last number in it, one more or less. */
function nudge(text: string, random: SeededRandom): string {
  const digits = /\d+$/.exec(text)?.[0];
  if (digits === undefined || text.startsWith('0x') || !random.chance(0.1)) return text;
  const moved = BigInt(digits) + random.pick([1n, -1n]);
  if (moved < 0n) return text;
  return text.slice(0, -digits.length) + moved.toString().padStart(digits.length, '0');
}

type Pages =
  | { kind: 'right'; requests: number }
  /** The question itself; it names no list. */
  | { kind: 'refused' }
  | { kind: 'wrong'; why: string };

async function walk({ dialect, path, member, query, limit }: Question): Promise<Pages> {
  const ask = (url: string) => mirror.get(dialect, url);
  const toUrl = (size: number) => `${path}?${[...query, `limit=${size}`].join('&')}`;
  const wrong = (why: string): Pages => ({ kind: 'wrong', why });
  const big = await ask(toUrl(bigLimit));
  if (big.status !== 200) {
    const small = await ask(toUrl(limit));
    return small.status === big.status ? { kind: 'refused' } : wrong(`${big.status} of the big page, ${small.status}`);
  }
  const whole = (big.body[member] as JsonObject[]).map(write);
  if (nextOf(big.body) !== null) return wrong('the big page has a link');
  const seen: string[] = [];
  let requests = 0;
  const size = Math.max(limit, Math.ceil(whole.length / mostPages));
  for (let url: string | null = toUrl(size); url !== null; ) {
    const { status, body, text } = await ask(url);
    requests++;
    if (status !== 200) {
      const isOver = seen.length === whole.length && endsBeforeCreation(dialect, member, status);
      return isOver ? { kind: 'right', requests } : wrong(`${url} is ${status} ${text}`);
    }
    const items = (body[member] as JsonObject[]).map(write);
    seen.push(...items);
    const next = nextOf(body);
    if (items.length > size) return wrong(`${items.length} items on a page`);
    if (items.length < size && next !== null) return wrong(`a link from a page that is not full: ${next}`);
    const at = seen.findIndex((item, place) => item !== whole[place]);
    if (at >= 0) return wrong(`${url} shows ${seen[at]} as item ${at} in place of ${whole[at]}`);
    if (next === url) {
      if (dialect === 'hiero' && seen.length === whole.length && seen.length === 1) return { kind: 'right', requests };
      return wrong(`${url} leads to itself`);
    }
    url = next;
  }
  if (seen.length < whole.length) return wrong(`${seen.length} of ${whole.length} items after ${requests} pages`);
  return { kind: 'right', requests };
}

/**
 * As the mirror node has it (docs/reference/dialects.md): before the creation of an account there is nothing to show.
 */
function endsBeforeCreation(dialect: DialectName, member: string, status: number): boolean {
  return dialect === 'hiero' && member === 'transactions' && status === 404;
}

const write = (item: JsonObject): string =>
  JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? value.toString() : value));

function nextOf({ links }: JsonObject): string | null {
  return (links as { next: string | null }).next;
}

/** The shortest question that is answered wrongly, and how. */
async function shorten({ dialect, path, member, query, limit }: Question): Promise<string> {
  const toQuestion = (pairs: readonly string[]): Question => ({ dialect, path, member, query: pairs, limit });
  const request = { method: 'GET', path, query: [...query], headers: [], body: '' };
  const shortest = await shortenRequest(request, async (candidate) => {
    const isWhole = candidate.path === path && candidate.query.every((pair) => query.includes(pair));
    return isWhole && (await walk(toQuestion(candidate.query))).kind === 'wrong';
  });
  const pages = await walk(toQuestion(shortest.query));
  const why = pages.kind === 'wrong' ? pages.why : pages.kind;
  return `${dialect} ${path}?${[...shortest.query, `limit=${limit}`].join('&')}: ${why}`;
}
