// Inputs of precompiles that take long for their gas.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { writeWord } from '../../packages/machine/base/word.ts';

export type PrecompileCase = { name: string; address: number; data: Uint8Array };

const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const repeat = (count: number, make: (place: number) => Uint8Array): Uint8Array =>
  join(...Array.from({ length: count }, (_, place) => make(place)));

/** The same in every run. */
function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 24) | 1;
  });
}

const { G1, G2 } = bls12_381;
const element = (value: bigint) => writeWord(value, 64);
const scalar = (place: number) => noise(32, place + 77);
function blsG1(factor: bigint): Uint8Array {
  const { x, y } = G1.Point.BASE.multiply(factor).toAffine();
  return join(element(x), element(y));
}
function blsG2(factor: bigint): Uint8Array {
  const { x, y } = G2.Point.BASE.multiply(factor).toAffine();
  return join(element(x.c0), element(x.c1), element(y.c0), element(y.c1));
}
function bnG1(factor: bigint): Uint8Array {
  const { x, y } = bn254.G1.Point.BASE.multiply(factor).toAffine();
  return join(writeWord(x), writeWord(y));
}
function bnG2(factor: bigint): Uint8Array {
  const { x, y } = bn254.G2.Point.BASE.multiply(factor).toAffine();
  return join(...[x.c1, x.c0, y.c1, y.c0].map((part) => writeWord(part)));
}

function power(length: number, exponentLength: number, isEven: boolean): Uint8Array {
  const modulus = noise(length, 5);
  if (isEven) modulus[length - 1] = 254;
  const lengths = [length, exponentLength, length].map((value) => writeWord(BigInt(value)));
  return join(...lengths, noise(length, 3), new Uint8Array(exponentLength).fill(0xff), modulus);
}

function signature(): Uint8Array {
  const hash = noise(32, 1);
  const signed = secp256k1.sign(hash, noise(32, 2), { prehash: false, format: 'recovered' });
  const { r, s, recovery } = secp256k1.Signature.fromBytes(signed, 'recovered');
  return join(hash, writeWord(27n + BigInt(recovery!)), writeWord(r), writeWord(s));
}

function compression(rounds: number): Uint8Array {
  const data = noise(213, 9);
  data.set(writeWord(BigInt(rounds), 4));
  data[212] = 1;
  return data;
}

const big = (place: number): bigint => (BigInt(place) + 3n) * 0x1234_5678_9abc_def1n;

export const precompileCases: readonly PrecompileCase[] = [
  { name: 'ecrecover', address: 1, data: signature() },
  { name: 'sha256, 1 kB', address: 2, data: noise(1024, 1) },
  { name: 'ripemd160, 1 kB', address: 3, data: noise(1024, 1) },
  { name: 'modexp, 8 bytes ^ 75 bytes', address: 5, data: power(8, 75, false) },
  { name: 'modexp, 8 bytes ^ 75 bytes, even', address: 5, data: power(8, 75, true) },
  { name: 'modexp, 32 bytes ^ 40 bytes', address: 5, data: power(32, 40, false) },
  { name: 'modexp, 32 bytes ^ 40 bytes, even', address: 5, data: power(32, 40, true) },
  { name: 'modexp, 64 bytes ^ 64 bytes', address: 5, data: power(64, 64, false) },
  { name: 'modexp, 256 bytes ^ 256 bytes', address: 5, data: power(256, 256, false) },
  { name: 'modexp, 256 bytes ^ 256 bytes, even', address: 5, data: power(256, 256, true) },
  { name: 'modexp, 1024 bytes ^ 32 bytes', address: 5, data: power(1024, 32, false) },
  { name: 'bn254 sum', address: 6, data: join(bnG1(3n), bnG1(5n)) },
  { name: 'bn254 product', address: 7, data: join(bnG1(3n), scalar(0)) },
  { name: 'bn254 pairing of 1', address: 8, data: join(bnG1(3n), bnG2(5n)) },
  { name: 'bn254 pairing of 100', address: 8, data: repeat(100, (place) => join(bnG1(big(place)), bnG2(big(place)))) },
  { name: 'blake2f, 12 rounds', address: 9, data: compression(12) },
  { name: 'blake2f, 1,000,000 rounds', address: 9, data: compression(1_000_000) },
  { name: 'BLS12-381 G1 sum', address: 0x0b, data: join(blsG1(3n), blsG1(5n)) },
  { name: 'BLS12-381 G1 sum of 1 product', address: 0x0c, data: join(blsG1(3n), scalar(0)) },
  {
    name: 'BLS12-381 G1 sum of 16 products',
    address: 0x0c,
    data: repeat(16, (place) => join(blsG1(big(place)), scalar(place))),
  },
  {
    name: 'BLS12-381 G1 sum of 128 products',
    address: 0x0c,
    data: repeat(128, (place) => join(blsG1(big(place)), scalar(place))),
  },
  {
    name: 'BLS12-381 G1 sum of 1,000 products',
    address: 0x0c,
    data: repeat(1000, (place) => join(blsG1(big(place)), scalar(place))),
  },
  { name: 'BLS12-381 G2 sum', address: 0x0d, data: join(blsG2(3n), blsG2(5n)) },
  { name: 'BLS12-381 G2 sum of 1 product', address: 0x0e, data: join(blsG2(3n), scalar(0)) },
  {
    name: 'BLS12-381 G2 sum of 16 products',
    address: 0x0e,
    data: repeat(16, (place) => join(blsG2(big(place)), scalar(place))),
  },
  {
    name: 'BLS12-381 G2 sum of 128 products',
    address: 0x0e,
    data: repeat(128, (place) => join(blsG2(big(place)), scalar(place))),
  },
  { name: 'BLS12-381 pairing of 1', address: 0x0f, data: join(blsG1(3n), blsG2(5n)) },
  {
    name: 'BLS12-381 pairing of 50',
    address: 0x0f,
    data: repeat(50, (place) => join(blsG1(big(place)), blsG2(big(place)))),
  },
  { name: 'BLS12-381 map to G1', address: 0x10, data: element(5n) },
  { name: 'BLS12-381 map to G2', address: 0x11, data: join(element(5n), element(7n)) },
];
