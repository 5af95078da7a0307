// Conditions on a text as SQL; all must hold.
import type { Operator } from '../../../kit/range.ts';
import type { TextCondition } from '../../../kit/text-condition.ts';
import type { Part } from './statement-parts.ts';

const symbols = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** ` and <column> …` for each condition; pushes its values. `type`: the column's, if not text. */
export function toTextPart(conditions: readonly TextCondition[], values: unknown[], type = 'text'): Part {
  // By operator, so that a short code with their numbers identifies the text.
  const groups = (Object.keys(symbols) as Operator[])
    .map((operator) => ({
      operator,
      texts: new Set(conditions.filter((c) => c.operator === operator).map((c) => c.text)),
    }))
    .filter(({ texts }) => texts.size > 0);
  const tests = groups.flatMap(({ operator, texts }) =>
    [...texts].map((text) => `${symbols[operator]} $${values.push(text)}::${type}`),
  );
  return {
    code: groups.map(({ operator, texts }) => `${operator}${texts.size}`).join(''),
    sql: (column) => tests.map((test) => ` and ${column} ${test}`).join(''),
  };
}
