// Addresses as callers write them: 40 hex digits with or without 0x, in mixed case only with a valid EIP-55 checksum.
import { LRUCache } from 'lru-cache';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { keccak256 } from '../../protocol/keccak256.ts';

/**
 * 0x and 40 lower-case hex digits; null for anything else. `system`: the realm of a ledger whose contracts also have ids. Ids
 * of that realm, such as `0.0.N`, mean their long-zero address, which has neither shard nor realm: other ids are null.
 */
export function parseContractAddress(text: string, system?: SystemRealm): string | null {
  const entity = system ? /^(\d{1,10})\.(\d{1,10})\.(\d{1,12})$/.exec(text) : null;
  if (system && entity) {
    const [shard, realm, num] = entity.slice(1).map(BigInt) as [bigint, bigint, bigint];
    if (shard !== system.shard || realm !== system.realm) return null;
    return `0x${num.toString(16).padStart(40, '0')}`;
  }
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
  const hash = keccak256(Buffer.from(digits));
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
