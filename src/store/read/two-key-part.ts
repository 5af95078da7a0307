// Conditions on two keys that rows are ordered by, as SQL: the rows between two pairs, or with an exact value of either.
import type { Range } from '../../kit/range.ts';
import { int64, toRangePart } from './statement-parts.ts';

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
  const tests: ((primaryColumn: string, secondaryColumn: string) => string)[] = [];
  let code = '';
  const add = (letter: string, operator: string, first: bigint | null, second: bigint | null) => {
    if (first === null) {
      if (second !== null) throw new Error('A bound on the second key needs one on the first');
      return;
    }
    values.push(withinInt64(first));
    const firstValue = `$${values.length}::int8`;
    if (second === null) {
      tests.push((primaryColumn) => ` and ${primaryColumn} ${operator} ${firstValue}`);
      code += letter;
      return;
    }
    values.push(withinInt64(second));
    const pair = `(${firstValue}, $${values.length}::int8)`;
    tests.push((primaryColumn, secondaryColumn) => ` and (${primaryColumn}, ${secondaryColumn}) ${operator} ${pair}`);
    code += letter.toUpperCase();
  };
  add('f', '>=', primary.from, secondary.from);
  add('t', '<=', primary.to, secondary.to);
  return {
    code: `-${code}`,
    sql: (primaryColumn, secondaryColumn) => tests.map((test) => test(primaryColumn, secondaryColumn)).join(''),
  };
}

// Each bound by itself: at two values of the first key, bounds of the second may well exclude each other.
function withinInt64(value: bigint): bigint {
  return value < int64.min ? int64.min : value > int64.max ? int64.max : value;
}
