// Conditions on several keys that rows are ordered by, as SQL: exact values hold by themselves; bounds on keys that follow
// each other are one bound on all of them, as a word's letters are.
import { isAnyRange, type Range } from '../../kit/range.ts';
import { toBoundPart } from './bound-part.ts';
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
  for (const side of ['from', 'to'] as const) {
    const together = takeWhile(ranges, ({ range }) => range[side] !== null);
    // A bound that none stands before holds everywhere.
    const apart = ranges.slice(together.length).filter(({ range }) => range[side] !== null);
    for (const bounded of [together, ...apart.map((key) => [key])]) {
      if (bounded.length === 0) continue;
      const part = toBoundPart(
        side,
        bounded.map(({ range }) => range[side]!),
        values,
      );
      sql += part.sql(bounded.map(({ column }) => column));
      code += `.${placesOf(bounded)}${part.code}`;
    }
  }
  return { code, sql };
}

function takeWhile<T>(items: readonly T[], test: (item: T) => boolean): T[] {
  const end = items.findIndex((item) => !test(item));
  return items.slice(0, end < 0 ? items.length : end);
}
