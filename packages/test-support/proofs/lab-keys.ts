// A ledger of the laboratory whose id has 64 bytes, with some hinTS keys that may sign any of its blocks, and blocks
// that are nothing but a chain of roots: for every order of naming, signing and changing keys, honest or not.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { createHintsSigner } from '../../simulated-network/proofs/hints-signer.ts';
import { hashHintsKey, novaPart } from '../../simulated-network/proofs/nova-part.ts';

export type LabKeys = {
  /** Its second half is the hash of key 0. */
  ledgerId: Buffer;
  /** 1096 bytes each. */
  keys: readonly Buffer[];
  keyHashes: readonly Buffer[];
  rootOf(block: number): Buffer;
  /** BlockProof: the signature of a key over the root of the block. `isDamaged`: one of its points is another one. */
  signed(block: number, key: number, isDamaged?: boolean): Buffer;
  /** BlockProof: what leads from the block to a later one, and the signature of a key over the root of that. */
  led(block: number, later: number, key: number): Buffer;
};

const weights = [1n, 1n, 1n];
const signers = [0, 2];
const sha = (...parts: Uint8Array[]) => createHash('sha384').update(Buffer.concat(parts)).digest();
const hashLeaf = (content: Uint8Array) => sha(Buffer.of(0), content);
const hashNode = (left: Uint8Array, right: Uint8Array) => sha(Buffer.of(2), left, right);

export function createLabKeys({ count, seed = 'keys' }: { count: number; seed?: string }): LabKeys {
  const { ORDER: order } = bls12_381.fields.Fr;
  const secretOf = (name: string) => bytesToNumberLE(createHash('sha512').update(`${seed} ${name}`).digest()) % order;
  const hints = Array.from({ length: count }, (_, key) => {
    const secrets = weights.map((_weight, node) => secretOf(`bls ${node} of ${key}`));
    return createHintsSigner({ weights, size: 4, tau: secretOf('tau'), secrets, form: 'merged' });
  });
  const keyHashes = hints.map(({ key }) => hashHintsKey(key));
  // Of no real book: a number below the modulus.
  const bookHash = Buffer.alloc(32, createHash('sha256').update(`${seed} book`).digest().subarray(0, 31));
  bookHash[31] = 0;
  const stateOf = (key: number) => Buffer.concat([bookHash, keyHashes[key]!]);
  const ledgerId = stateOf(0);

  const roots: Buffer[] = [];
  const siblingsOf = (block: number) => [0, 1, 2, 3].map((level) => sha(Buffer.from(`${seed} ${block} ${level}`)));
  const timeOf = (block: number) => Buffer.concat(intField(1, 1_000 + block));

  /** The root of the block before is the first leaf. */
  function rootOf(block: number): Buffer {
    for (let next = roots.length; next <= block; next++) {
      const leaf = roots[next - 1] ?? sha(Buffer.from(seed));
      roots.push(hashNode(hashLeaf(timeOf(next)), siblingsOf(next).reduce(hashNode, leaf)));
    }
    return roots[block]!;
  }

  const signatures = new Map<string, Buffer>();
  function sign(block: number, key: number): Buffer {
    const name = `${block} ${key}`;
    const made =
      signatures.get(name) ??
      Buffer.concat([
        hints[key]!.key,
        hints[key]!.sign(rootOf(block), signers),
        novaPart(key + 1, ledgerId, stateOf(key)),
      ]);
    signatures.set(name, made);
    return Buffer.from(made);
  }

  const proof = (block: number, field: Buffer[]) => Buffer.concat([intField(1, block), field].flat());
  return {
    ledgerId,
    keys: hints.map(({ key }) => key),
    keyHashes,
    rootOf,
    signed(block, key, isDamaged = false) {
      const signature = sign(block, key);
      if (isDamaged) signature[1096 + 400]! ^= 1;
      return proof(block, messageField(2, [bytesField(1, signature)]));
    },
    led(block, later, key) {
      const sides: Buffer[][] = [];
      for (let step = block + 1; step <= later; step++) {
        for (const hash of siblingsOf(step)) sides.push(messageField(1, [bytesField(2, hash)]));
        if (step < later) sides.push(messageField(1, [intField(1, 1), bytesField(2, hashLeaf(timeOf(step)))]));
      }
      const paths = [
        messageField(1, [intField(2, 2), bytesField(6, timeOf(later))]),
        messageField(1, [...sides, intField(2, 2), bytesField(3, rootOf(block))]),
        messageField(1, [intField(2, -1)]),
      ];
      return proof(block, messageField(3, [...paths, messageField(2, [bytesField(1, sign(later, key))])]));
    },
  };
}
