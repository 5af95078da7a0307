// Vectors of the hash functions that proofs are made of.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, test } from 'vitest';
import { sha384 } from '../protocol/sha384.ts';
import { hashToG2, scalarField } from './bls12-points.ts';
import { writeScalar } from './field-bytes.ts';
import { hashLeaf, hashNode, hashSingle } from './hash-nodes.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { poseidonHash, poseidonHashBytes } from './poseidon.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const abc = utf8ToBytes('abc');

test('bytes become a scalar with a padding as long as the output', () => {
  expect(hashToScalar(abc, utf8ToBytes('HINTS_SIG_BLS12381:FIAT_SHAMIR'), scalarField.ORDER).toString(16)).toBe(
    '10cdd4625eff188faae5b21e07df315eebe5a944d2abab31258cb3e38cc2158c',
  );
});

test('bytes become a point of G2', () => {
  expect(hashToG2(abc).toHex(true)).toBe(
    '94b38e10fd6d2d63dfe704c3f0b1741474dfeaef88d6cdca4334413320701c74e5df8c7859947f6901c0a3c30dba23c91400ddb63494b2f3717d8706a834f928323cef590dd1f2bc8edaf857889e82c9b4cf242324526c9045bc8fec05f98fe9',
  );
  expect(hashToG2(abc).isTorsionFree() && !hashToG2(abc).equals(bls12_381.G2.Point.ZERO)).toBe(true);
});

describe('Poseidon', () => {
  it.each([
    [[1n], '905eba3938bc2602d192d3904c90ca5fc35f5a918ef9df9b88327e5dc296e80f'],
    [[1n, 2n, 3n, 4n], '3d05fe4f150662d847acce9a422bbbd86288b99bd8af7db238a39a60efaa4811'],
    [[1n, 2n, 3n, 4n, 5n], 'c3855c0d9a502454ca214d0d994f6aa580aae7ae483279c2b81a378d04726f04'],
  ])('of %s', (elements, expected) => expect(hex(writeScalar(poseidonHash(elements)))).toBe(expected));

  it.each([
    ['010203', '1172e99e5a977b9fc52799726f75c8b54881e8ed89b5801c1d312b7549cc7b03'],
    ['ff'.repeat(32), '50d7248d9e1e30a647eabbe39f96de91ba75d0b533b70919e2b0e1980f55e21f'],
    [
      Buffer.from(Array.from({ length: 33 }, (_, byte) => byte)).toString('hex'),
      'b1a27f4d8f0fb02bdaaccd2f49ee4ff0a3badcc11ab52f82ddd45f3f9a14251d',
    ],
  ])('of the bytes %s', (bytes, expected) => {
    expect(hex(poseidonHashBytes(Buffer.from(bytes, 'hex')))).toBe(expected);
  });
});

test('leaves, nodes and single children are those of block roots', () => {
  const [one, other] = [createHash('sha384').update('1').digest(), createHash('sha384').update('2').digest()];
  expect(hex(hashLeaf(one))).toBe(hex(sha384(Buffer.of(0), one)));
  expect(hex(hashSingle(one))).toBe(hex(sha384(Buffer.of(1), one)));
  expect(hex(hashNode(one, other))).toBe(hex(sha384(Buffer.of(2), one, other)));
});
