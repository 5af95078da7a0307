// What names keys of a ledger, by the hash of the key: the same for all proofs of that key.
import { LRUCache } from 'lru-cache';
import type { NamingDocument } from './proof-document.ts';

export type KeptNamings = LRUCache<string, NamingDocument>;

/** Bytes beside the text of its items and hashes. */
const bytesOfNaming = 2000;

export function createKeptNamings(maxBytes: number): KeptNamings {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (naming) => bytesOfNaming + JSON.stringify(naming).length,
  });
}
