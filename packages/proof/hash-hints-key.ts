// The hash of a hinTS key as ledger ids of 64 bytes and Nova proofs name it. Ledger ids of 32 bytes go with another
// one, of Poseidon over the same bytes.
import { bn254_Fr } from '@noble/curves/bn254.js';
import { bytesToNumberBE, concatBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { writeScalar } from './field-bytes.ts';

const domain = utf8ToBytes('WRAPS-hints-vk-v1');

/** The digest as a big-endian number, modulo the order of BN254: 32 bytes little endian. */
export function hashHintsKey(key: Uint8Array): Uint8Array {
  return writeScalar(bytesToNumberBE(sha256(concatBytes(domain, key))) % bn254_Fr.ORDER);
}
