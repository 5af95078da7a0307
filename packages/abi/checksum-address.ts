// Addresses as text: 40 hex digits with or without 0x, in mixed case only with a valid EIP-55 checksum.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { LRUCache } from 'lru-cache';

/** 0x and 40 lower-case hex digits; null for anything else. */
export function parseHexAddress(text: string): string | null {
  const digits = /^(?:0x)?([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits === undefined) return null;
  const mixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
  if (mixed && toChecksumAddress(`0x${digits.toLowerCase()}`) !== `0x${digits}`) return null;
  return `0x${digits.toLowerCase()}`;
}

/** EIP-55: a letter is upper case if the hash of the lower-case address has a digit above 7. */
export function toChecksumAddress(address: string): string {
  const kept = checksums.get(address);
  if (kept !== undefined) return kept;
  const digits = address.slice(2);
  const hash = keccak_256(Buffer.from(digits));
  let text = '0x';
  for (let at = 0; at < digits.length; at++) {
    const isUpper = (hash[at >> 1]! & (at % 2 === 0 ? 0x80 : 0x08)) !== 0;
    text += isUpper ? digits[at]!.toUpperCase() : digits[at];
  }
  checksums.set(address, text);
  return text;
}

/** The hash takes 5 µs; the logs of a contract have two addresses each, and most of them come again. 1 MB. */
const checksums = new LRUCache<string, string>({ max: 5000 });
