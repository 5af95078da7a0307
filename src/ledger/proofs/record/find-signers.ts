// Which of a record file's signatures are good, and of which keys of an address book: as few as make a third of them.
import { verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { BookKey } from './book-keys.ts';

/** `node`: place of the key among those of the book. */
export type NodeSignature = { node: number; signature: Buffer };

export type Signers = { signed: NodeSignature[]; isEnough: boolean };

// In another thread: it takes a tenth of a millisecond.
const verifyAside = promisify(verify);

/** `signatures` of this hash, by anyone, in any order. */
export async function findSigners(
  keys: readonly BookKey[],
  hash: Buffer,
  signatures: readonly Buffer[],
): Promise<Signers> {
  const needed = Math.ceil(keys.length / 3);
  const signed = new Map<number, Buffer>();
  // Files and books have the nodes in one order: mostly the next key is the right one.
  let next = 0;
  for (const signature of signatures) {
    if (signed.size === needed) break;
    const places = keys.map((_key, place) => (place + next) % keys.length).filter((place) => !signed.has(place));
    for (const place of places) {
      const key = keys[place]!.publicKey();
      if (!key || !(await verifyAside('RSA-SHA384', hash, key, signature))) continue;
      signed.set(place, signature);
      next = place + 1;
      break;
    }
  }
  const inOrder = [...signed].sort(([left], [right]) => left - right);
  return { signed: inOrder.map(([node, signature]) => ({ node, signature })), isEnough: signed.size === needed };
}
