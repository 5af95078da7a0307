// Conditions on two keys that rows are ordered by, as SQL: the rows between two pairs, or with an exact value of either.
import type { Range } from '../../kit/range.ts';
import { toBoundPart } from './statement/bound-part.ts';
import { toRangePart } from './statement/statement-parts.ts';

/**
 * Where neither key has an exact value, the bounds of `secondary` hold only at the bounds of `primary`, of which there is
 * one for each: the rows from one pair to another.
 */
export type TwoKeyRange = { primary: Range; secondary: Range };

export type TwoKeyPart = { code: string; sql(primaryColumn: string, secondaryColumn: string): string };

/** ` and …` for each condition; pushes its values. Fits an index on both columns, or on the first. */
export function toTwoKeyPart({ primary, secondary }: TwoKeyRange, values: unknown[]): TwoKeyPart {
  if (primary.equals.length > 0 || secondary.equals.length > 0 || (secondary.from ?? secondary.to) === null) {
    const first = toRangePart(primary, values);
    const second = toRangePart(secondary, values);
    return {
      code: `${first.code}.${second.code}`,
      sql: (primaryColumn, secondaryColumn) => first.sql(primaryColumn) + second.sql(secondaryColumn),
    };
  }
  const bounds = (['from', 'to'] as const).map((side) => toBoundPart(side, boundsOf(primary, secondary, side), values));
  return {
    code: `-${bounds.map(({ code }) => code).join('')}`,
    sql: (primaryColumn, secondaryColumn) => bounds.map(({ sql }) => sql([primaryColumn, secondaryColumn])).join(''),
  };
}

// Each side by itself: at two values of the first key, bounds of the second may well exclude each other.
function boundsOf(primary: Range, secondary: Range, side: 'from' | 'to'): bigint[] {
  const [first, second] = [primary[side], secondary[side]];
  if (first === null && second !== null) throw new Error('A bound on the second key needs one on the first');
  return [first, second].filter((bound) => bound !== null);
}
