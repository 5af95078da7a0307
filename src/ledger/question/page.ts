// A page of a list: only here is decided whether more may follow.

import { everyCondition, isEmptyRange, type Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';

export type Page<T, K = bigint> = {
  items: readonly T[];
  /** Key of the last item, if the page is full; null = nothing follows. */
  next: K | null;
};

export const emptyPage: Page<never, never> = { items: [], next: null };

export function toPage<T, K>(items: readonly T[], limit: number, toKey: (last: T) => K): Page<T, K> {
  return { items, next: items.length === limit ? toKey(items[limit - 1]!) : null };
}

/** Members of a filter that are conditions on a key. */
type KeyOf<F> = { [N in keyof F]-?: F[N] extends Range ? N : never }[keyof F];

/** The filter if every condition on these keys must hold; null = they leave nothing. */
export function whereEvery<F>(filter: F, keys: readonly KeyOf<F>[]): F | null {
  const every = { ...filter };
  for (const key of keys) {
    const range = everyCondition(filter[key] as Range);
    if (isEmptyRange(range)) return null;
    every[key] = range as F[typeof key];
  }
  return every;
}

/** `filter`: null = nothing can meet it, so that nothing is queried. */
export async function askPage<F extends { limit: number }, T, K>(
  filter: F | null,
  select: (filter: F) => Promise<readonly T[]>,
  toKey: (last: T) => K,
): Promise<Page<T, K>> {
  return filter ? toPage(await select(filter), filter.limit, toKey) : emptyPage;
}

/** The query whose answers are pages of `select`'s rows. */
export function pagesOf<F extends { limit: number }, T, K>(
  db: Database,
  select: (db: Database, filter: F) => Promise<readonly T[]>,
  toKey: (last: T, filter: F) => K,
): (filter: F) => Promise<Page<T, K>> {
  return async (filter) => toPage(await select(db, filter), filter.limit, (last) => toKey(last, filter));
}

/** The same of a `select` that finds null where what the pages belong to is unknown. */
export function pagesOfKnown<F extends { limit: number }, T, K>(
  db: Database,
  select: (db: Database, filter: F) => Promise<readonly T[] | null>,
  toKey: (last: T) => K,
): (filter: F) => Promise<Page<T, K> | null> {
  return async (filter) => {
    const rows = await select(db, filter);
    return rows && toPage(rows, filter.limit, toKey);
  };
}
