// 0x01: the address whose key signed a hash.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readWord } from '../base/word.ts';
import { bytesAt, noBytes, type PrecompileEntry } from './precompile.ts';

export const ecrecover: readonly PrecompileEntry[] = [{ address: 0x01, gas: () => 3000, run }];

/** Nothing where there is no such key. */
function run(data: Uint8Array): Uint8Array {
  const v = readWord(data, 32, 32);
  if (v !== 27n && v !== 28n) return noBytes;
  const [r, s] = [readWord(data, 64, 32), readWord(data, 96, 32)];
  let key: Uint8Array;
  try {
    const signature = new secp256k1.Signature(r, s).addRecoveryBit(Number(v) - 27);
    key = signature.recoverPublicKey(bytesAt(data, 0, 32)).toBytes(false);
  } catch {
    return noBytes; // Anybody may ask about numbers that are no signature.
  }
  const address = new Uint8Array(32);
  address.set(keccak_256(key.subarray(1)).subarray(12), 12);
  return address;
}
