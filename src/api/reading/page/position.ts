// Where a page of a list with several keys begins, as one parameter. Bounds on the keys can express it only if they may
// replace the request's own: `token.id=gte:7` alone applies to every receiver, and with a bound on the receiver it
// would apply to that one only.
import { Type } from '@sinclair/typebox';
import type { LinkKey } from '../query/dialect.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { Query } from '../query/query-string.ts';
import { maxInt64 } from '../value/text-kinds.ts';

// Ids as stored, so that no form of an id matters.
const number = '-?\\d{1,19}';
const form = new RegExp(`^${number}-${number}-${number}$`);

/** Two ids and a number: those of the last item before; null = from the beginning. */
export const positionAfter: QueryParameter<readonly bigint[] | null> = queryParameter({
  kind: 'position',
  repeatable: false,
  description: 'Where the page begins, as set in the link to it: after the item with these keys.',
  schema: () => Type.String({ pattern: form.source }),
  open: () => ({
    read: ({ operator, text }) => (operator === 'eq' ? readNumbers(text) : undefined),
    collect: (values) => values.at(-1) ?? null,
  }),
});

/** undefined: no position. Nothing follows the largest int64. */
function readNumbers(text: string): bigint[] | undefined {
  if (!form.test(text)) return undefined;
  const numbers = [...text.matchAll(/(?<=^|\d-)-?\d+/g)].map(([digits]) => BigInt(digits));
  return numbers.every((number) => number > -maxInt64 && number < maxInt64) ? numbers : undefined;
}

/** `query` with its position `name` replaced by that of the last row. */
export function moveTo(query: Query, name: string, keys: readonly LinkKey[]): Query {
  const text = keys.map(({ last }) => last).join('-');
  return [...withoutPosition(query, name), { name, values: [text], repeated: false }];
}

export function withoutPosition(query: Query, name: string): Query {
  return query.filter((parameter) => parameter.name !== name);
}

/**
 * Whether bounds on all keys at the last row can replace the request's bounds in this direction: these are on leading
 * keys, or the last row has passed them.
 */
export function canMoveBounds(keys: readonly LinkKey[], order: 'asc' | 'desc'): boolean {
  if (keys.some(({ range }) => range.equals.length > 1)) return false;
  const side = order === 'asc' ? 'from' : 'to';
  const free = keys.filter(({ range }) => range.equals.length === 0);
  const gap = free.findIndex(({ range }) => range[side] === null);
  if (gap < 0 || free.slice(gap).every(({ range }) => range[side] === null)) return true;
  return free.slice(0, gap).some(({ range, last }) => range[side] !== last);
}
