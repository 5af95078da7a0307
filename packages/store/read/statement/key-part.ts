// Conditions on several sort keys, as SQL: exact values apply by themselves; the lower bounds of the other keys are one
// lexicographic bound on all keys that have one, and so are the upper bounds.
import type { Range } from '../../../kit/range.ts';
import { toBoundPart } from './bound-part.ts';
import { type Part, toRangePart } from './statement-parts.ts';

export type Key = { column: string; range: Range };

/**
 * ` and …` for each condition; pushes its values. `after`: a value of each key; only rows after these in this order.
 */
export function toKeyPart(
  keys: readonly Key[],
  values: unknown[],
  { after = null, order = 'asc' }: { after?: readonly bigint[] | null; order?: 'asc' | 'desc' } = {},
): Pick<Part, 'code'> & { sql: string } {
  const exact = keys.filter(({ range }) => range.equals.length > 0);
  const ranges = keys.filter(({ range }) => range.equals.length === 0);
  // Statement names are short: keys are named by position.
  const placesOf = (some: readonly Key[]) => some.map((key) => keys.indexOf(key)).join('');
  let sql = '';
  let code = '';
  for (const key of exact) {
    const part = toRangePart(key.range, values);
    sql += part.sql(key.column);
    code += `${placesOf([key])}${part.code}`;
  }
  const add = (side: 'from' | 'to', bounded: readonly Key[], bounds: readonly bigint[]): void => {
    const part = toBoundPart(side, bounds, values);
    sql += part.sql(bounded.map(({ column }) => column));
    code += `.${placesOf(bounded)}${part.code}`;
  };
  for (const side of ['from', 'to'] as const) {
    const bounded = ranges.filter(({ range }) => range[side] !== null);
    const bounds = bounded.map(({ range }) => range[side]!);
    if (bounded.length > 0) add(side, bounded, bounds);
  }
  if (after) {
    const last = after.length - 1;
    if (order === 'asc') add('from', keys, after.with(last, after[last]! + 1n));
    else add('to', keys, after.with(last, after[last]! - 1n));
  }
  return { code, sql };
}
