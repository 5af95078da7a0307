// A page of a list: whether more may follow is decided here and nowhere else.

export type Page<T, K = bigint> = {
  items: readonly T[];
  /** Key of the last item, where the page is full; null = nothing follows. */
  next: K | null;
};

export const emptyPage: Page<never, never> = { items: [], next: null };

export function toPage<T, K>(items: readonly T[], limit: number, toKey: (last: T) => K): Page<T, K> {
  return { items, next: items.length === limit ? toKey(items[limit - 1]!) : null };
}
