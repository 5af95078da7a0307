// Lists ordered by two keys, where the mirror node answers from Java: which conditions on the keys a page can be made
// of. The rules are those of `two-key-page.ts`, with other messages and in another order.

import type { Operator, Range } from '../../../../packages/kit/range.ts';
import { type RequestError, refuse } from '../../../../packages/web-server/request-error.ts';
import { operatorsOf } from '../query/query-parameters.ts';
import type { Query } from '../query/query-string.ts';
import type { TwoKeys } from './two-key-page.ts';

/** Throws RequestError for the first error. `values`: the conditions of `query` on the keys. */
export function refuseJavaUnpageable<P extends string, S extends string>(
  values: Readonly<Record<P | S, Range>>,
  query: Query,
  { primary, secondary }: TwoKeys & { primary: P; secondary: S },
): void {
  const [first, second] = [values[primary], values[secondary]];
  const operators = operatorsOf(query, primary);
  const others = operatorsOf(query, secondary);
  if (isReversed(first)) throw refuse('invalidRange', { name: primary });
  if (others.length > 0 && operators.length === 0) {
    throw sentence(`${secondary} parameter must have ${primary} present`);
  }
  refuseOperators(operators, primary);
  refuseOperators(others, secondary);
  const isTwoSided = first.from !== null && first.to !== null;
  if (!isTwoSided && isReversed(second)) throw refuse('invalidRange', { name: secondary });
  for (const [isBounded, bound] of [
    [second.to !== null, 'lte'],
    [second.from !== null, 'gte'],
  ] as const) {
    if (isBounded && !operators.includes('eq') && !operators.includes(bound)) {
      throw sentence(`Requires the presence of an ${bound} or eq ${primary} parameter`);
    }
  }
}

/** Whether the last lower bound is above the last upper one. */
function isReversed({ from, to, equals, isNothing }: Range): boolean {
  const lower = equals.at(-1) ?? from;
  return !isNothing && lower !== null && to !== null && lower > to;
}

const sides: Operator[][] = [['eq'], ['gt', 'gte'], ['lt', 'lte']];

/** Throws RequestError. */
function refuseOperators(operators: readonly Operator[], name: string): void {
  if (operators.includes('ne')) throw sentence(`Unsupported range operator ne for ${name}`);
  for (const side of sides) {
    if (operators.filter((operator) => side.includes(operator)).length > 1) {
      const text = `Only one range operator from [${side.join(', ')}] is allowed for the given parameter for ${name}`;
      throw sentence(text);
    }
  }
  if (operators.includes('eq') && operators.length > 1) throw refuse('rangeAndEqual', { name });
}

function sentence(text: string): RequestError {
  return refuse('malformedQuery', { text });
}
