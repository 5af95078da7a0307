// Conditions on several keys that rows are ordered by, as SQL: exact values hold by themselves; bounds on keys that follow
// each other are one bound on all of them, as a word's letters are.
import { isAnyRange, type Range } from '../../kit/range.ts';
import { type Part, toRangePart } from './statement-parts.ts';

export type Key = { column: string; range: Range };

/** ` and …` for each condition; pushes its values. Keys without any condition may only stand before all others. */
export function toKeyPart(keys: readonly Key[], values: unknown[]): Pick<Part, 'code'> & { sql: string } {
  const given = keys.filter(({ range }) => !isAnyRange(range));
  const exact = given.filter(({ range }) => range.equals.length > 0);
  const ranges = given.filter(({ range }) => range.equals.length === 0);
  // Names of statements are short: keys go by their place.
  const placesOf = (some: readonly Key[]) => some.map((key) => keys.indexOf(key)).join('');
  let sql = '';
  let code = '';
  for (const key of exact) {
    const part = toRangePart(key.range, values);
    sql += part.sql(key.column);
    code += `${placesOf([key])}${part.code}`;
  }
  for (const [side, operator] of [
    ['from', '>='],
    ['to', '<='],
  ] as const) {
    const together = takeWhile(ranges, ({ range }) => range[side] !== null);
    if (together.length > 0) {
      const places = together.map(({ range }) => `$${values.push(withinInt64(range[side]!))}::int8`);
      sql += ` and (${together.map(({ column }) => column).join(', ')}) ${operator} (${places.join(', ')})`;
      code += `${side[0]}${placesOf(together)}`;
    }
    // A bound that none stands before holds everywhere.
    for (const key of ranges.slice(together.length)) {
      const bound = key.range[side];
      if (bound === null) continue;
      sql += ` and ${key.column} ${operator} $${values.push(withinInt64(bound))}::int8`;
      code += `.${side[0]}${placesOf([key])}`;
    }
  }
  return { code, sql };
}

function takeWhile<T>(items: readonly T[], test: (item: T) => boolean): T[] {
  const end = items.findIndex((item) => !test(item));
  return items.slice(0, end < 0 ? items.length : end);
}

function withinInt64(value: bigint): bigint {
  const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n];
  return value < min ? min : value > max ? max : value;
}
