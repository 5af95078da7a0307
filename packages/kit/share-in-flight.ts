// Work that is requested while the same is running: both get the same promise.

export type InFlight<T> = {
  share(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when everything that runs now has settled. */
  settled(): Promise<void>;
  size(): number;
};

export function createInFlight<T>(): InFlight<T> {
  const running = new Map<string, Promise<T>>();
  return {
    share(key, work) {
      const found = running.get(key);
      if (found) return found;
      const begun = work().finally(() => running.delete(key));
      running.set(key, begun);
      return begun;
    },
    async settled() {
      await Promise.allSettled(running.values());
    },
    size: () => running.size,
  };
}
