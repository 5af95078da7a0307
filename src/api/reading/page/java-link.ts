// Links to the next page as the mirror node's Java writes them: all parameters of the request as typed, with the bounds
// on the sort keys moved to the last row.
import { canFollow } from '../../../../packages/kit/range.ts';
import type { NextLinkFormatter } from '../query/dialect.ts';
import type { Query } from '../query/query-string.ts';
import { addBound, formatLink, stepBack } from './next-link.ts';

export const formatJavaLink: NextLinkFormatter = (keys, { path, query, order }) => {
  const bound = order === 'asc' ? 'gt' : 'lt';
  // Several exact values of one key are processed one after the other.
  const moving = keys.filter(
    ({ range: { equals } }) => equals.length === 0 || (keys.length === 1 && equals.length > 1),
  );
  // Nothing would move: the same page again.
  if (moving.length === 0) return null;
  const sortKeys = new Set(keys.map(({ name }) => name));
  let moved: Query = query.flatMap((parameter) => {
    if (!sortKeys.has(parameter.name)) return [parameter];
    const values = parameter.values.flatMap((raw) => dropReplaced(raw!, bound));
    return values.length > 0 ? [{ ...parameter, values }] : [];
  });
  for (const [index, { name, range, last, format }] of moving.entries()) {
    const inclusive = index < moving.length - 1;
    // An empty range is refused.
    if (name === keys[0]!.name && !canFollow(range, inclusive ? stepBack(last, order) : last, order)) return null;
    moved = addBound(moved, name, `${bound}${inclusive ? 'e' : ''}:${format(last)}`);
  }
  return formatLink(path, moved);
};

/** The rest of a value (several may be separated by commas) without bounds in this direction. */
function dropReplaced(raw: string, bound: 'gt' | 'lt'): string[] {
  const kept = raw.split(',').filter((value) => !new RegExp(`^${bound}e?:`, 'i').test(value));
  return kept.length > 0 ? [kept.join()] : [];
}
