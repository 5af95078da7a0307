// A page that is taken item by item: what a client leaves untaken is dropped after a while, and read again when it goes
// on. Else thousands of clients that do not read would each hold a page.
const keptMs = 1000;

/** `take`: null = there is no more, or `isDropped`. */
export function holdPage<T>(given: readonly T[]) {
  let items: readonly T[] | null = given;
  let place = 0;
  const timer = setTimeout(() => {
    items = null;
  }, keptMs).unref();
  return {
    take(): T | null {
      timer.refresh();
      return items?.[place++] ?? null;
    },
    isDropped: () => items === null,
    release: () => clearTimeout(timer),
  };
}
