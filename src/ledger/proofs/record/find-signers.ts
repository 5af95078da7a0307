// Which of a record file's signatures are good, and of which keys of an address book: as few as make a third of them.
import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { BookKey } from './book-keys.ts';
import type { SignedRecord } from './signed-record.ts';

/** `node`: place of the key among those of the book. */
type NodeSignature = { node: number; signature: Buffer };

export type Signers = { signed: NodeSignature[]; isEnough: boolean };

// In another thread: it takes a tenth of a millisecond.
const verifyAside = promisify(verify);

/** Of the hash of the file, or of its metadata. */
export async function findSigners(
  { file, signatures, signers }: SignedRecord,
  keys: readonly BookKey[],
  of: keyof SignedRecord['signatures'],
): Promise<Signers> {
  const hash = of === 'file' ? file.fileHash : file.metadataHash;
  const needed = Math.ceil(keys.length / 3);
  const signed = new Map<number, Buffer>();
  // Files and books have the nodes in one order: mostly the next key is the right one.
  let next = 0;
  for (const signature of signatures[of]) {
    if (signed.size === needed || !hash) break;
    const known = signers.get(signature);
    const places = keys.map((_key, place) => (place + next) % keys.length).filter((place) => !signed.has(place));
    for (const place of places) {
      const { hex, publicKey } = keys[place]!;
      if (known === undefined && !(await isSignedBy(publicKey(), hash, signature))) continue;
      if (known !== undefined && known !== hex) continue;
      signers.set(signature, hex);
      signed.set(place, signature);
      next = place + 1;
      break;
    }
  }
  const inOrder = [...signed].sort(([left], [right]) => left - right);
  return { signed: inOrder.map(([node, signature]) => ({ node, signature })), isEnough: signed.size === needed };
}

async function isSignedBy(key: KeyObject | null, hash: Buffer, signature: Buffer): Promise<boolean> {
  return key !== null && verifyAside('RSA-SHA384', hash, key, signature);
}
