// How signatures are named in data: functions and errors by a selector of 4 bytes, events by a topic of 32.
import { keccak_256 } from '@noble/hashes/sha3.js';

export const selectorBytes = 4;

/** Keccak-256 of `transfer(address,uint256)` and its like: begins with the selector, and is the topic of an event. */
export function signatureHash(signature: string): Buffer {
  return Buffer.from(keccak_256(Buffer.from(signature)));
}

/** The selector of a function or error, e.g. of `transfer(address,uint256)`, as an unsigned number. */
export function selectorOf(signature: string): number {
  return signatureHash(signature).readUInt32BE();
}

/** The selector that call data begins with; of less than 4 bytes it makes no sense. */
export function readSelector(data: Uint8Array): number {
  return ((data[0]! << 24) | (data[1]! << 16) | (data[2]! << 8) | data[3]!) >>> 0;
}
