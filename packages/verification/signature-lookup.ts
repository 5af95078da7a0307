// What the hashes in calls, reverts and logs are the hashes of, from the ABIs of checked contracts.

import type { Database } from '../postgres/wire/database.ts';
import { orNull } from './archive/verification-archive.ts';
import { type SignatureKind, selectSignatures } from './store/compilation-index.ts';

export type SignatureLookup = {
  /** Functions and errors by the first 4 bytes of their hash. */
  findFunctions(selector: Buffer): Promise<string[]>;
  /** By the whole hash. */
  findEvents(topic: Buffer): Promise<string[]>;
};

/** Of one hash: a search for names can make any number with the same 4 bytes. */
const maxFound = 100;
const hashBytes = 32;

export function createSignatureLookup(db: Database): SignatureLookup {
  async function find(from: Buffer, to: Buffer, kinds: readonly SignatureKind[]): Promise<string[]> {
    const rows = await orNull(selectSignatures(db, { from, to, kinds, limit: maxFound }));
    return [...new Set((rows ?? []).map(({ signature }) => signature))];
  }

  return {
    findFunctions(selector) {
      const rest = hashBytes - selector.length;
      const [from, to] = [0x00, 0xff].map((byte) => Buffer.concat([selector, Buffer.alloc(rest, byte)]));
      return find(from!, to!, ['function', 'error']);
    },
    findEvents: (topic) => find(topic, topic, ['event']),
  };
}
