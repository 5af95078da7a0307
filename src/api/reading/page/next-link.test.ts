import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRange } from '../../../../packages/kit/range.ts';
import { formatTimestamp } from '../../values/json-text.ts';
import { everyOperator } from '../query/conditions.ts';
import { splitOperator } from '../query/query-parameters.ts';
import { parseQueryString } from '../query/query-string.ts';
import { formatNextLink } from './next-link.ts';

const readTimestamp = (text: string): bigint => {
  const [seconds, fraction = ''] = text.split('.');
  return BigInt(seconds!) * second + BigInt(fraction.padEnd(9, '0'));
};

function link(text: string, order: 'asc' | 'desc', last: bigint, repeatsEqual = false): string | null {
  const query = parseQueryString(text, 100);
  const raw = query.find(({ name }) => name === 'timestamp')?.values ?? [];
  const range = toRange(
    raw.map((value) => {
      const split = splitOperator(value!)!;
      return { operator: split.operator, value: readTimestamp(split.text) };
    }),
  );
  return formatNextLink([{ name: 'timestamp', range, last, format: formatTimestamp }], {
    path: '/p',
    query,
    order,
    repeatsEqual,
  });
}

const second = 1_000_000_000n;
const last = 50n * second;
const T = '50.000000000';

describe('in the form of the mirror node', () => {
  it.each<[string, 'asc' | 'desc', string | null]>([
    ['limit=2', 'desc', `/p?limit=2&timestamp=lt:${T}`],
    ['LIMIT=1&Order=ASC', 'asc', `/p?limit=1&order=asc&timestamp=gt:${T}`],
    ['timestamp=gte:10&timestamp=lte:90&limit=1', 'desc', `/p?timestamp=gte:10&timestamp=lt:${T}&limit=1`],
    ['timestamp=gt:10&limit=1', 'desc', `/p?timestamp=gt:10&timestamp=lt:${T}&limit=1`],
    ['timestamp=lt:90&limit=1', 'desc', `/p?limit=1&timestamp=lt:${T}`],
    ['timestamp[]=lt:90&limit=1', 'desc', `/p?timestamp=lt:${T}&limit=1`],
    ['timestamp=lt:90&limit=1', 'asc', `/p?timestamp=lt:90&timestamp=gt:${T}&limit=1`],
    ['limit=1&limit=2', 'desc', `/p?limit=1&limit=2&timestamp=lt:${T}`],
    ['limit=1000', 'desc', `/p?limit=1000&timestamp=lt:${T}`],
    ['timestamp=gte:50&limit=1&order=desc', 'desc', null],
    ['timestamp=gt:48&timestamp=lt:51', 'desc', `/p?timestamp=gt:48&timestamp=lt:${T}`],
    ['timestamp=gt:49.999999999', 'desc', null],
    ['timestamp=lte:50&order=asc', 'asc', null],
  ])('%s %s', (text, order, expected) => {
    expect(link(text, order, last)).toBe(expected);
    expect(link(text, order, last, true)).toBe(expected);
  });
});

describe('better than that', () => {
  it.each<[string, string | null]>([
    ['timestamp=ne:1&timestamp=lt:90&limit=1', `/p?timestamp=ne:1&timestamp=lt:${T}&limit=1`],
    ['timestamp=ne:1&limit=1', `/p?timestamp=ne:1&timestamp=lt:${T}&limit=1`],
    ['timestamp=50&limit=1', null],
    ['timestamp=50&timestamp=20&limit=1', `/p?timestamp=50&timestamp=20&timestamp=lt:${T}&limit=1`],
    ['timestamp=20&timestamp=50&timestamp=gt:30&limit=1', null],
  ])('%s', (text, expected) => {
    expect(link(text, 'desc', last)).toBe(expected);
  });

  it('unless the dialect wants the link to the same page', () => {
    const text = `timestamp=eq:${T}&limit=1`;
    expect(link(text, 'desc', last, true)).toBe(`/p?${text}`);
  });
});

it('following the links visits every timestamp that the conditions allow, once', () => {
  const condition = fc.record({ operator: fc.constantFrom(...everyOperator), value: fc.integer({ min: 0, max: 12 }) });
  fc.assert(
    fc.property(
      fc.array(condition, { maxLength: 4 }),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.integer({ min: 1, max: 4 }),
      (conditions, order, limit) => {
        const all = [1, 2, 3, 5, 6, 7, 9, 10];
        let text: string | null = conditions.map(({ operator, value }) => `timestamp=${operator}:${value}`).join('&');
        const expected = select(all, text, order);
        const seen: number[] = [];
        for (let pages = 0; text !== null; pages++) {
          expect(pages).toBeLessThan(20);
          const page: number[] = select(all, text, order).slice(0, limit);
          seen.push(...page);
          const next: string | null = page.length === limit ? link(text, order, BigInt(page.at(-1)!) * second) : null;
          text = next === null ? null : next.slice(next.indexOf('?') + 1);
        }
        expect(seen).toEqual(expected);
      },
    ),
  );
});

/** Whole seconds that meet the conditions: all bounds, any `eq`, no `ne`. */
function select(all: readonly number[], text: string, order: 'asc' | 'desc'): number[] {
  const conditions = (parseQueryString(text, 100)[0]?.values ?? []).map((raw) => {
    const { operator, text } = splitOperator(raw!)!;
    return { operator, value: Number(readTimestamp(text) / second) };
  });
  const equals = conditions.filter(({ operator }) => operator === 'eq').map(({ value }) => value);
  const tests: Record<string, (row: number, value: number) => boolean> = {
    eq: () => true,
    ne: (row, value) => row !== value,
    gt: (row, value) => row > value,
    gte: (row, value) => row >= value,
    lt: (row, value) => row < value,
    lte: (row, value) => row <= value,
  };
  const rows = all.filter(
    (row) =>
      (equals.length === 0 || equals.includes(row)) &&
      conditions.every(({ operator, value }) => tests[operator]!(row, value)),
  );
  return order === 'asc' ? rows : rows.reverse();
}

describe('by two keys', () => {
  const read = (query: ReturnType<typeof parseQueryString>, name: string) =>
    toRange(
      (query.find((given) => given.name === name)?.values ?? []).map((value) => {
        const { operator, text } = splitOperator(value!)!;
        return { operator, value: BigInt(text) };
      }),
    );

  it.each<[string, 'asc' | 'desc', string | null]>([
    ['limit=1', 'desc', '/p?limit=1&token.id=lte:35&serialnumber=lt:4'],
    ['limit=1', 'asc', '/p?limit=1&token.id=gte:35&serialnumber=gt:4'],
    ['token.id=gte:30&limit=1', 'asc', '/p?limit=1&token.id=gte:35&serialnumber=gt:4'],
    ['token.id=35', 'asc', '/p?token.id=35&serialnumber=gt:4'],
    ['token.id=gt:3&serialnumber=4', 'asc', '/p?serialnumber=4&token.id=gt:35'],
    ['token.id=35&serialnumber=4', 'asc', null],
    ['token.id=gte:3&token.id=lte:35', 'asc', '/p?token.id=lte:35&token.id=gte:35&serialnumber=gt:4'],
    ['token.id=gte:3&token.id=lte:35&serialnumber=4', 'asc', null],
  ])('%s %s', (text, order, expected) => {
    const query = parseQueryString(text, 100);
    const format = (value: bigint) => value.toString();
    const keys = [
      { name: 'token.id', range: read(query, 'token.id'), last: 35n, format },
      { name: 'serialnumber', range: read(query, 'serialnumber'), last: 4n, format },
    ];
    expect(formatNextLink(keys, { path: '/p', query, order, repeatsEqual: true })).toBe(expected);
  });
});
