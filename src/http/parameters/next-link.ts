// The link to the next page: the request's own query with its bound on the sort key moved to the last row
// (reference: rest §0.6). Other parameters stay as they were typed, in their order.

import type { Query, QueryParameter } from '../frame/query-string.ts';
import { toJsonString } from '../values/json-text.ts';
import type { Operator } from './query-parameters.ts';
import { splitOperator } from './query-parameters.ts';

export type NextLinkQuestion = {
  /** As typed, without the query. */
  path: string;
  query: Query;
  key: 'timestamp' | 'schedule.id';
  order: 'asc' | 'desc';
  /** The request's conditions on the key, in ledger values. */
  conditions: readonly { operator: Operator; value: bigint }[];
  last: { text: string; value: bigint };
  /** Whether a link that only repeats the `eq` values of the request is given, though it leads to the same page. */
  repeatsEqual: boolean;
};

/** null = nothing can follow. Only to be asked when the page is full. */
export function formatNextLink(question: NextLinkQuestion): string | null {
  const { path, query, key, order, conditions, last, repeatsEqual } = question;
  const ascending = order === 'asc';
  const bound: Operator = ascending ? 'gt' : 'lt';
  const replaced: readonly string[] = [bound, `${bound}e`];
  const kept = conditions.filter(({ operator }) => !replaced.includes(operator));
  const onlyEqual = kept.length > 0 && kept.every(({ operator }) => operator === 'eq');
  if (onlyEqual && repeatsEqual) return formatLink(path, dropReplaced(query, key, replaced));
  if (!canFollow(kept, { ascending, last: last.value })) return null;
  return formatLink(path, addBound(dropReplaced(query, key, replaced), key, `${bound}:${last.text}`));
}

/** The member `links` of a body. */
export function formatLinks(next: string | null): string {
  return `"links":{"next":${next === null ? 'null' : toJsonString(next)}}`;
}

function dropReplaced(query: Query, key: string, replaced: readonly string[]): Query {
  const result: Query = [];
  for (const parameter of query) {
    if (parameter.name !== key) {
      result.push(parameter);
      continue;
    }
    const values = parameter.values.filter(
      (raw) => raw === null || !replaced.includes(splitOperator(raw)?.operator ?? ''),
    );
    // A list keeps its place even when nothing is left in it; a single value leaves with its name.
    if (values.length > 0 || parameter.repeated) result.push({ ...parameter, values });
  }
  return result;
}

function addBound(query: Query, key: string, bound: string): Query {
  const found = query.some(({ name }) => name === key);
  const added: QueryParameter = { name: key, values: [bound], repeated: false };
  if (!found) return [...query, added];
  return query.map((parameter) =>
    parameter.name === key ? { ...parameter, values: [...parameter.values, bound] } : parameter,
  );
}

function canFollow(
  kept: readonly { operator: Operator; value: bigint }[],
  { ascending, last }: { ascending: boolean; last: bigint },
): boolean {
  let from = ascending ? last + 1n : null;
  let to = ascending ? null : last - 1n;
  const equals: bigint[] = [];
  for (const { operator, value } of kept) {
    if (operator === 'eq') equals.push(value);
    if (operator === 'gt') from = max(from, value + 1n);
    if (operator === 'gte') from = max(from, value);
    if (operator === 'lt') to = min(to, value - 1n);
    if (operator === 'lte') to = min(to, value);
  }
  if (from !== null && to !== null && from > to) return false;
  const within = (value: bigint): boolean => (from === null || value >= from) && (to === null || value <= to);
  return equals.length === 0 || equals.some(within);
}

function max(a: bigint | null, b: bigint): bigint {
  return a !== null && a > b ? a : b;
}

function min(a: bigint | null, b: bigint): bigint {
  return a !== null && a < b ? a : b;
}

function formatLink(path: string, query: Query): string {
  const pairs = query.flatMap(({ name, values }) => values.map((value) => `${name}=${value}`));
  return `${path}?${pairs.join('&')}`;
}
