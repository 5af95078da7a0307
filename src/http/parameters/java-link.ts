// Links to the next page as the mirror node's Java writes them: all parameters of the request as they were typed, with the
// bounds on the sort keys moved to the last row.
import type { Query } from '../frame/query-string.ts';
import { addBound, formatLink, type NextLinkFormatter } from './next-link.ts';

export const formatJavaLink: NextLinkFormatter = (keys, { path, query, order }) => {
  const bound = order === 'asc' ? 'gt' : 'lt';
  const sortKeys = new Set(keys.map(({ name }) => name));
  let moved: Query = query.flatMap((parameter) => {
    if (!sortKeys.has(parameter.name)) return [parameter];
    const values = parameter.values.filter((raw) => {
      const operator = operatorOf(raw);
      return operator !== bound && operator !== `${bound}e`;
    });
    return values.length > 0 ? [{ ...parameter, values }] : [];
  });
  const exact = keys.map(({ name }) => valuesOf(moved, name).some((raw) => operatorOf(raw) === 'eq'));
  // Nothing would move: the same page again.
  if (exact.every(Boolean)) return null;
  keys.forEach(({ name, last, format }, index) => {
    if (exact[index]) return;
    const inclusive = index < keys.length - 1 && !exact[index + 1];
    moved = addBound(moved, name, `${bound}${inclusive ? 'e' : ''}:${format(last)}`);
  });
  return leavesNothing(valuesOf(moved, keys[0]!.name)) ? null : formatLink(path, moved);
};

function valuesOf(query: Query, name: string): readonly (string | null)[] {
  return query.find((given) => given.name === name)?.values ?? [];
}

function operatorOf(raw: string | null): string {
  const colon = raw?.indexOf(':') ?? -1;
  return colon < 0 ? 'eq' : raw!.slice(0, colon).toLowerCase();
}

/** Whether numbers that must hold leave none between them. Ids with dots are not looked at. */
function leavesNothing(values: readonly (string | null)[]): boolean {
  let from: bigint | null = null;
  let to: bigint | null = null;
  for (const raw of values) {
    const number = raw!.slice(raw!.indexOf(':') + 1);
    if (!/^\d+$/.test(number)) continue;
    const operator = operatorOf(raw);
    if (operator === 'gt' || operator === 'gte') from = BigInt(number) + (operator === 'gt' ? 1n : 0n);
    if (operator === 'lt' || operator === 'lte') to = BigInt(number) - (operator === 'lt' ? 1n : 0n);
  }
  return from !== null && to !== null && from > to;
}
