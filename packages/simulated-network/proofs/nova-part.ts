// The last part of a block signature under a ledger id of 64 bytes, as far as it can be read: how many books there
// were, and from which book and key to which the proof leads. The proof itself is made up: a network of tests cannot
// make one.
import { createHash } from 'node:crypto';
import { bn254_Fr } from '@noble/curves/bn254.js';
import { numberToBytesLE } from '@noble/curves/utils.js';

const length = 11_368;

/** `first`, `last`: hash of the book and of the hinTS key, 64 bytes. */
export function novaPart(steps: number, first: Uint8Array, last: Uint8Array): Buffer {
  const count = wordBytes(2n);
  const header = Buffer.concat([wordBytes(BigInt(steps)), count, first, count, last]);
  // The same bytes again and again: files of blocks stay small.
  const filler = createHash('sha512').update(last).digest();
  return Buffer.concat([header, Buffer.alloc(length - header.length, filler)]);
}

/** As such proofs and ledger ids name a hinTS key. */
export function hashHintsKey(key: Uint8Array): Buffer {
  const digest = createHash('sha256').update('WRAPS-hints-vk-v1').update(key).digest('hex');
  return Buffer.from(numberToBytesLE(BigInt(`0x${digest}`) % bn254_Fr.ORDER, 32));
}

const wordBytes = (value: bigint) => numberToBytesLE(value, 8);
