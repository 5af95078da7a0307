// The attestation of a network that has no WRAPS proof yet ("pre-settled"): an aggregate Schnorr signature of its first
// address book over ledger id and hash of the hinTS key. 192 bytes: a mark for each place of the book, response,
// challenge.
import { bytesToNumberLE, concatBytes } from '@noble/curves/utils.js';
import { blake2s } from '@noble/hashes/blake2.js';
import { type AddressBook, maxBookEntries, multiply } from './address-book.ts';
import { edwardsGenerator, edwardsOrder, edwardsZero, writeEdwards } from './edwards-points.ts';
import { createPartReader } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

export const schnorrLength = 192;

/** So many bytes of the digest are the challenge. */
const challengeLength = 31;

/** Returns the weight that signed: more than half of the book's. Throws ProofRefusal. */
export function verifySchnorr(
  { entries, totalWeight }: Pick<AddressBook, 'entries' | 'totalWeight'>,
  { ledgerId, keyHash }: { ledgerId: Uint8Array; keyHash: Uint8Array },
  bytes: Uint8Array,
): bigint {
  const reader = createPartReader(bytes, schnorrLength, 'Schnorr signature');
  const marks = reader.next(maxBookEntries);
  const response = reader.scalar(edwardsOrder, 'response');
  const challenge = reader.scalar(edwardsOrder, 'challenge');
  let weight = 0n;
  let aggregate = edwardsZero;
  for (const [place, mark] of marks.entries()) {
    if (mark > 1) refuse('encoding', `mark ${place} of the Schnorr signature to be 0 or 1`, `${mark}`);
    if (mark === 0) continue;
    const entry = entries[place];
    if (!entry)
      return refuse('encoding', `marks of the ${entries.length} nodes of the address book`, `one at ${place}`);
    weight += entry.weight;
    aggregate = aggregate.add(entry.key);
  }
  if (2n * weight <= totalWeight) {
    refuse('attestation', `signers with more than half of the weight of the book, ${totalWeight}`, `${weight}`);
  }
  const nonce = multiply(edwardsGenerator, response).add(multiply(aggregate, challenge));
  const digest = blake2s(concatBytes(writeEdwards(aggregate), writeEdwards(nonce), ledgerId, keyHash));
  if (bytesToNumberLE(digest.subarray(0, challengeLength)) % edwardsOrder !== challenge) {
    refuse('attestation', 'a Schnorr signature over ledger id and hinTS key', 'one of something else');
  }
  return weight;
}
