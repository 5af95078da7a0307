import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Condition, toRange } from '../../packages/kit/range.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { columns, selectQuery } from '../../packages/store/read/statement/columns.ts';
import { toKeyPart } from '../../packages/store/read/statement/key-part.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { formatNextLink } from '../../src/api/reading/page/next-link.ts';
import { listKeyConditions, refuseUnpageable } from '../../src/api/reading/page/two-key-page.ts';
import { splitOperator } from '../../src/api/reading/query/query-parameters.ts';
import { parseQueryString } from '../../src/api/reading/query/query-string.ts';

const keys = { primary: 'p', secondary: 's' };
const size = 5;
const pairs = Array.from({ length: size * size }, (_, place) => ({
  p: BigInt(Math.floor(place / size)),
  s: BigInt(place % size),
}));

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  db = openDatabase(scratch);
  await db.query({
    name: 'fill',
    text: `insert into nft (token_id, serial_number, timestamp_range)
      select p, s, '[0,)' from generate_series(0, ${size - 1}) p, generate_series(0, ${size - 1}) s`,
  });
});
afterAll(async () => {
  await db?.close();
  await scratch?.close();
});

const readConditions = (query: ReturnType<typeof parseQueryString>, name: string): Condition[] =>
  (query.find((given) => given.name === name)?.values ?? []).map((raw) => {
    const { operator, text } = splitOperator(raw!)!;
    return { operator, value: BigInt(text) };
  });

async function select(query: ReturnType<typeof parseQueryString>, order: 'asc' | 'desc', limit: number) {
  const values: unknown[] = [];
  const range = { primary: toRange(readConditions(query, 'p')), secondary: toRange(readConditions(query, 's')) };
  const columnsInOrder = [
    { column: 'token_id', range: range.primary },
    { column: 'serial_number', range: range.secondary },
  ];
  const part = toKeyPart(columnsInOrder, values);
  const select = columns('nft', { p: 'token_id', s: 'serial_number' });
  const from = `from nft where true${part.sql}
    order by token_id ${order}, serial_number ${order} limit ${limit}`;
  const rows = await db.query(
    selectQuery({ name: 'pairs', shape: `${order}${limit}${part.code}`, select, from, values }),
  );
  return { rows, range };
}

/** The rule in its own words (docs/reference/rest-behaviour.md, Two keys): which pairs the conditions leave. */
function isLeft(
  { p, s }: { p: bigint; s: bigint },
  first: readonly Condition[],
  second: readonly Condition[],
): boolean {
  const meets = (value: bigint, { operator, value: bound }: Condition): boolean =>
    ({
      eq: value === bound,
      ne: value !== bound,
      gt: value > bound,
      gte: value >= bound,
      lt: value < bound,
      lte: value <= bound,
    })[operator];
  const exact = [...first, ...second].some(({ operator }) => operator === 'eq');
  if (!first.every((condition) => meets(p, condition))) return false;
  const lower = first.find(({ operator }) => operator.startsWith('gt'));
  const upper = first.find(({ operator }) => operator.startsWith('lt'));
  return second.every((condition) => {
    const bound = condition.operator.startsWith('gt') ? lower : upper;
    return (!exact && p !== bound?.value) || meets(s, condition);
  });
}

describe('conditions on two keys', () => {
  const operators = fc.constantFrom('', 'eq:', 'gt:', 'gte:', 'lt:', 'lte:', 'gte:', 'lte:');
  const condition = fc.record({
    name: fc.constantFrom('p', 'p', 's'),
    operator: operators,
    value: fc.integer({ min: 0, max: size }),
  });

  it('select what they say, and their next links lead to every row once, in order', async () => {
    let pageable = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(condition, { maxLength: 4 }),
        fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
        fc.integer({ min: 1, max: size * size }),
        async (conditions, order, limit) => {
          const text = conditions.map(({ name, operator, value }) => `${name}=${operator}${value}`).join('&');
          const query = parseQueryString(text, 100);
          try {
            refuseUnpageable(listKeyConditions(query, keys), keys);
          } catch {
            fc.pre(false);
          }
          pageable++;
          const expected = pairs.filter((pair) => isLeft(pair, readConditions(query, 'p'), readConditions(query, 's')));
          if (order === 'desc') expected.reverse();
          const seen: { p: bigint; s: bigint }[] = [];
          let next: string | null = text;
          while (next !== null) {
            const given = parseQueryString(next, 100);
            refuseUnpageable(listKeyConditions(given, keys), keys);
            const { rows, range } = await select(given, order, limit);
            seen.push(...rows);
            expect(seen.length).toBeLessThanOrEqual(expected.length);
            if (rows.length < limit) break;
            const last = rows.at(-1)!;
            const format = (value: bigint) => value.toString();
            const linkKeys = [
              { name: 'p', range: range.primary, last: last.p, format },
              { name: 's', range: range.secondary, last: last.s, format },
            ];
            const link = formatNextLink(linkKeys, { path: '/', query: given, order, repeatsEqual: false });
            next = link === null ? null : link.slice(link.indexOf('?') + 1);
          }
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
    expect(pageable).toBeGreaterThan(200);
  });
});
