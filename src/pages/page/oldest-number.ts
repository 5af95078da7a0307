// Numbers of the oldest items of lists whose items are numbered: with that of the newest one they say how many there are.
import { LRUCache } from 'lru-cache';

/**
 * @param list names it: its path
 * @param ask is called where the number is not known, or was learned long ago: a mirror may have dropped its past since
 * @returns null = the list is empty
 */
export type OldestNumber = (list: string, ask: () => Promise<bigint | null>) => Promise<bigint | null>;

const knownLists = 1_000;
const knownMs = 10_000;

export function createOldestNumber(): OldestNumber {
  const known = new LRUCache<string, bigint>({ max: knownLists, ttl: knownMs });
  return async (list, ask) => {
    const kept = known.get(list);
    if (kept !== undefined) return kept;
    const number = await ask();
    if (number !== null) known.set(list, number);
    return number;
  };
}
