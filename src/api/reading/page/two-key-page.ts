// Lists ordered by two keys, such as logs by time and index: which conditions on the keys a page can be made of. The
// second key has a meaning only at one value of the first, so a bound on it needs a bound on the first that includes
// its own value.

import type { Operator } from '../../../../packages/kit/range.ts';
import { type RequestError, refuse } from '../../../../packages/web-server/request-error.ts';
import { splitOperator } from '../query/query-parameters.ts';
import type { Query } from '../query/query-string.ts';

/** Names of the parameters; rows are ordered by `primary`, then by `secondary`. */
export type TwoKeys = {
  primary: string;
  secondary: string;
  /** Whether an exact value of `secondary` needs one of `primary`. */
  exactTogether?: boolean;
};

/** The operator of one condition on the key `name`. */
export type KeyCondition = { name: string; operator: Operator };

/** The conditions on both keys in the order of the query, each with a valid value. */
export function listKeyConditions(query: Query, { primary, secondary }: TwoKeys): KeyCondition[] {
  return query
    .filter(({ name }) => name === primary || name === secondary)
    .flatMap(({ name, values }) => values.map((raw) => ({ name, operator: splitOperator(raw ?? '')!.operator })));
}

/** Throws RequestError for the first conflict; `conditions` in the order of the query. */
export function refuseUnpageable(conditions: readonly KeyCondition[], keys: TwoKeys): void {
  const { primary, secondary } = toEnds(conditions, keys);
  const refusal = findMismatch(keys, primary, secondary);
  if (refusal) throw refusal;
}

/** By key. Throws RequestError for the first condition that no page can be made of, without regard to the others. */
export function toEnds(conditions: readonly KeyCondition[], keys: TwoKeys): { primary: Ends; secondary: Ends } {
  const primary: Ends = { equal: null, lower: null, upper: null };
  const secondary: Ends = { equal: null, lower: null, upper: null };
  for (const { name, operator } of conditions) {
    const ends = name === keys.primary ? primary : secondary;
    const end = endOf[operator];
    if (end === null) throw refuse('notEqual', { sentence: `Not equal (ne) operator is not supported for ${name}` });
    if (ends[end] !== null) throw refuse('repeatedCondition', { name, operator: operatorsOf[end] });
    ends[end] = operator;
  }
  return { primary, secondary };
}

type End = 'equal' | 'lower' | 'upper';
type Ends = Record<End, Operator | null>;

const endOf: Readonly<Record<Operator, End | null>> = {
  eq: 'equal',
  ne: null,
  gt: 'lower',
  gte: 'lower',
  lt: 'upper',
  lte: 'upper',
};
const operatorsOf: Readonly<Record<End, string>> = { equal: 'equal (eq)', lower: 'gt/gte', upper: 'lt/lte' };

function findMismatch(keys: TwoKeys, primary: Ends, secondary: Ends): RequestError | null {
  if (keys.exactTogether && secondary.equal !== null && primary.equal === null) {
    return refuse('missingOperator', { name: keys.primary, operators: 'eq' });
  }
  for (const [name, { equal, lower, upper }] of [
    [keys.primary, primary],
    [keys.secondary, secondary],
  ] as const) {
    if (equal !== null && (lower !== null || upper !== null)) return refuse('rangeAndEqual', { name });
  }
  const isGiven = (ends: Ends): boolean => Object.values(ends).some((operator) => operator !== null);
  if (isGiven(secondary) && !isGiven(primary)) {
    return refuse('missingPrimary', { name: keys.secondary, primary: keys.primary });
  }
  if (primary.equal !== null) return null;
  for (const [end, inclusive] of [
    ['lower', 'gte'],
    ['upper', 'lte'],
  ] as const) {
    if (secondary[end] !== null && primary[end] !== inclusive) {
      return refuse('missingOperator', { name: keys.primary, operators: `${inclusive} or eq` });
    }
  }
  return null;
}
