// Code of contracts, which never changes: kept in memory that all threads share.
import { LRUCache } from 'lru-cache';

export type CodeCache = {
  /** By id of the contract. */
  get(id: bigint): Uint8Array | undefined;
  /** Returns the code as it is shared. */
  keep(id: bigint, code: Uint8Array): Uint8Array;
};

const minSize = 1;

export function createCodeCache(maxBytes: number): CodeCache {
  const kept = new LRUCache<bigint, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: (code) => Math.max(minSize, code.length),
  });
  return {
    get: (id) => kept.get(id),
    keep(id, code) {
      const shared = new Uint8Array(new SharedArrayBuffer(code.length));
      shared.set(code);
      kept.set(id, shared);
      return shared;
    },
  };
}
