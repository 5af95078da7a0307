// The link to the next page: the request's own query with its bounds on the sort keys moved to the last row
// (docs/reference/rest-behaviour.md, Pages and links). Other parameters stay as typed, in their order.
import { canFollow, type Operator } from '../../../../packages/kit/range.ts';
import type { LinkKey, NextLinkQuestion } from '../query/dialect.ts';
import { splitOperator } from '../query/query-parameters.ts';
import type { Query, QueryParameter } from '../query/query-string.ts';

/** null = nothing can follow. Only to be called if the page is full. The first key is the most significant one. */
export function formatNextLink(keys: readonly LinkKey[], question: NextLinkQuestion): string | null {
  return keys.length === 1 ? linkByOne(keys[0]!, question) : linkBySeveral(keys, question);
}

function linkByOne({ name, range, last, format }: LinkKey, question: NextLinkQuestion): string | null {
  const { path, query, order, repeatsEqual } = question;
  const bound = order === 'asc' ? 'gt' : 'lt';
  const otherBound = order === 'asc' ? range.to : range.from;
  // Of several exact values the others would never be reached.
  const onlyEqual = range.equals.length === 1 && range.notEquals.length === 0 && otherBound === null;
  const kept = dropReplaced(query, name, bound);
  if (onlyEqual && repeatsEqual) return formatLink(path, kept);
  if (!canFollow(range, last, order)) return null;
  return formatLink(path, addBound(kept, name, `${bound}:${format(last)}`));
}

/** Every key without exact value gets a bound, which includes the last row's value of all but the last of them. */
function linkBySeveral(keys: readonly LinkKey[], { path, query, order }: NextLinkQuestion): string | null {
  if (keys.every(({ range }) => range.equals.length > 0)) return null;
  const bound = order === 'asc' ? 'gt' : 'lt';
  let moved = query;
  const moving = keys.filter(({ range }) => range.equals.length === 0);
  for (const [index, { name, range, last, format }] of moving.entries()) {
    const inclusive = index < moving.length - 1;
    if (name === keys[0]!.name && !canFollow(range, inclusive ? stepBack(last, order) : last, order)) return null;
    moved = addBound(dropReplaced(moved, name, bound), name, `${bound}${inclusive ? 'e' : ''}:${format(last)}`);
  }
  return formatLink(path, moved);
}

export function stepBack(last: bigint, order: 'asc' | 'desc'): bigint {
  return order === 'asc' ? last - 1n : last + 1n;
}

/** Without the bounds on `key` that a new one, `bound`, replaces. */
export function dropReplaced(query: Query, key: string, bound: Operator): Query {
  const replaced: readonly string[] = [bound, `${bound}e`];
  const result: Query = [];
  for (const parameter of query) {
    if (parameter.name !== key) {
      result.push(parameter);
      continue;
    }
    const values = parameter.values.filter(
      (raw) => raw === null || !replaced.includes(splitOperator(raw)?.operator ?? ''),
    );
    // A list keeps its place even if it becomes empty; a single value is removed with its name.
    if (values.length > 0 || parameter.repeated) result.push({ ...parameter, values });
  }
  return result;
}

export function addBound(query: Query, key: string, bound: string): Query {
  const found = query.some(({ name }) => name === key);
  const added: QueryParameter = { name: key, values: [bound], repeated: false };
  if (!found) return [...query, added];
  return query.map((parameter) =>
    parameter.name === key ? { ...parameter, values: [...parameter.values, bound] } : parameter,
  );
}

export function formatLink(path: string, query: Query): string {
  const pairs = query.flatMap(({ name, values }) => values.map((value) => `${name}=${value}`));
  return `${path}?${pairs.join('&')}`;
}
