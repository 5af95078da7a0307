// What stays of a contract's runtime code when everything that may differ between two contracts of one source is taken
// out: metadata at its end, hashes of metadata inside of it, immutables, addresses of libraries and its own. Of
// deployed code it is unknown which bytes those are, so every constant of their sizes goes: solc places immutables as
// 32 bytes (PUSH32), addresses as 20 (PUSH20). Equal skeletons are a hint only; a check decides.

import { readAuxdata } from '../explain/auxdata.ts';
import { sha256 } from '../store/match-row.ts';
import { toHex } from '../terms/hex.ts';

export function hashCodeSkeleton(code: Buffer): Buffer {
  const end = readAuxdata(toHex(code))?.offset ?? code.length;
  const skeleton = Buffer.from(code.subarray(0, end));
  for (const { key, length } of metadataHashes) maskAfter(skeleton, key, length);
  for (let at = 0; at < skeleton.length; at += 1) {
    const length = skeleton[at]! - beforePush1;
    if (length < 1 || length > 32) continue;
    if (length === addressLength || length === wordLength) clear(skeleton, at + 1, length);
    at += length;
  }
  return sha256(skeleton);
}

/** PUSH1 to PUSH32 are followed by as many bytes. */
const beforePush1 = 0x5f;
const addressLength = 20;
const wordLength = 32;

/** CBOR: a name, and the head of the bytes that follow. */
const metadataHashes = [
  { key: Buffer.from('64697066735822', 'hex'), length: 34 },
  { key: Buffer.from('65627a7a72315820', 'hex'), length: 32 },
  { key: Buffer.from('65627a7a72305820', 'hex'), length: 32 },
];

function maskAfter(code: Buffer, key: Buffer, length: number): void {
  for (let at = code.indexOf(key); at >= 0; at = code.indexOf(key, at + key.length)) {
    clear(code, at + key.length, length);
  }
}

/** Code may end before. */
function clear(code: Buffer, start: number, length: number): void {
  code.fill(0, Math.min(start, code.length), Math.min(start + length, code.length));
}
