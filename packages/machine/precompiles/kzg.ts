// 0x0a: whether a polynomial that was committed to has the value y at z (EIP-4844).
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { readWord, writeWord } from '../base/word.ts';
import type { PrecompileEntry } from './precompile.ts';

const { G1, G2, fields } = bls12_381;
const { ORDER } = fields.Fr;

/**
 * τ·G2 of the ceremony of 2023: the second of the 65 points `g2_monomial` of
 * presets/mainnet/trusted_setups/trusted_setup_4096.json in ethereum/consensus-specs.
 */
const tauG2 =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2';

const inputLength = 192;
const fieldElements = 4096n;

export const kzg: readonly PrecompileEntry[] = [{ address: 0x0a, gas: () => 50_000, run, since: 'cancun' }];

function run(data: Uint8Array): Uint8Array | null {
  if (data.length !== inputLength) return null;
  const commitment = data.subarray(96, 144);
  const hash = sha256(commitment);
  hash[0] = 1;
  if (hash.some((byte, place) => byte !== data[place])) return null;
  const [z, y] = [readWord(data, 32, 32), readWord(data, 64, 32)];
  if (z >= ORDER || y >= ORDER || !isProof(commitment, z, y, data.subarray(144))) return null;
  const output = new Uint8Array(64);
  output.set(writeWord(fieldElements));
  output.set(writeWord(ORDER), 32);
  return output;
}

type G2Point = InstanceType<typeof G2.Point>;
let tau: G2Point | undefined;

/** e(commitment − y·G1, G2) = e(proof, (τ − z)·G2) */
function isProof(commitment: Uint8Array, z: bigint, y: bigint, proof: Uint8Array): boolean {
  const point = readPoint(commitment);
  const quotient = point && readPoint(proof);
  if (!point || !quotient) return false;
  tau ??= G2.Point.fromBytes(hexToBytes(tauG2));
  const value = y === 0n ? point : point.subtract(G1.Point.BASE.multiplyUnsafe(y));
  const divisor = z === 0n ? tau : tau.subtract(G2.Point.BASE.multiplyUnsafe(z));
  const pairs = [
    { g1: value.negate(), g2: G2.Point.BASE },
    { g1: quotient, g2: divisor },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return fields.Fp12.eql(bls12_381.pairingBatch(pairs), fields.Fp12.ONE);
}

/** 48 bytes, compressed; null: not a point of the group. */
function readPoint(bytes: Uint8Array): InstanceType<typeof G1.Point> | null {
  if (bytes[0] === 0xc0 && bytes.every((byte, place) => place === 0 || byte === 0)) return G1.Point.ZERO;
  try {
    const point = G1.Point.fromBytes(bytes);
    return !point.is0() && point.isTorsionFree() ? point : null;
  } catch {
    return null; // The library throws for bytes that are no point.
  }
}
