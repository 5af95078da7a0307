// Conditions on a text as SQL; all must hold.
import type { Operator } from '../../kit/range.ts';
import type { TextCondition } from '../../kit/text-condition.ts';
import type { Part } from './statement-parts.ts';

const symbols: Readonly<Record<Operator, string>> = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' };

/** ` and <column> …` for each condition; pushes its values. `type` where the column's is not text. */
export function toTextPart(conditions: readonly TextCondition[], values: unknown[], type = 'text'): Part {
  const tests = conditions.map(({ operator, text }) => `${symbols[operator]} $${values.push(text)}::${type}`);
  return {
    code: conditions.map(({ operator }) => operator).join('_'),
    sql: (column) => tests.map((test) => ` and ${column} ${test}`).join(''),
  };
}
