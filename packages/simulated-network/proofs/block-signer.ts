// The threshold signatures of a network that has not settled: keys and weights of its nodes, made of the seed, and the ledger id
// that follows from them. Made when first needed; a network of record files needs the publication alone.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { createSeededRandom } from '../ledger/seeded-random.ts';
import { createHintsSigner } from './hints-signer.ts';
import { createHistorySigner } from './history-signer.ts';

export type LedgerPublication = {
  /** 32 bytes. */
  ledgerId: Buffer;
  /** 1768 bytes. */
  wrapsKey: Buffer;
  /** In the order of node ids, which begin at 0; keys have 192 bytes. */
  nodes: { weight: bigint; key: Buffer }[];
};

export type BlockSigner = {
  publication(): LedgerPublication;
  /** 2920 bytes: hinTS key, signature, and Schnorr signatures of the key. */
  sign(root: Uint8Array, block: bigint): Buffer;
};

/** The weights of nodes differ by up to a quarter. */
const ordinaryWeight = 1_000_000_000_000_000n;

export function createBlockSigner({ seed, nodes }: { seed: string; nodes: number }): BlockSigner {
  const secretOf = (name: string, order: bigint) =>
    bytesToNumberLE(createHash('sha512').update(`${seed}\nproofs\n${name}`).digest()) % order;
  const ids = [...Array(nodes).keys()];
  const random = createSeededRandom(seed, 'weights of nodes');
  const weights = ids.map(() => (ordinaryWeight * BigInt(random.integer(75, 125))) / 100n);
  const size = 2 ** Math.ceil(Math.log2(nodes + 1));

  const history = once(() => createHistorySigner({ weights, secretOf }));
  const hints = once(() => {
    const { ORDER: order } = bls12_381.fields.Fr;
    // As many times the size of the domain as makes the secret of an aggregate key a short number: signing is faster then.
    const secrets = ids.map((node) => BigInt(size) * secretOf(`signing ${node}`, shortOrder));
    return createHintsSigner({ weights, size, tau: secretOf('tau', order), secrets });
  });
  const attestation = once(() => history().attest(hints().key, findSigners(0n)));

  /** All but one, where the others have more than half of the weight. */
  function findSigners(block: bigint): number[] {
    const absent = createSeededRandom(seed, `signers of block ${block}`).below(nodes);
    const signers = ids.filter((node) => node !== absent);
    const weightOf = (some: readonly number[]) => some.reduce((total, node) => total + weights[node]!, 0n);
    return 2n * weightOf(signers) > weightOf(ids) ? signers : ids;
  }

  return {
    publication: () => ({
      ledgerId: history().ledgerId,
      wrapsKey: noWrapsKey,
      nodes: weights.map((weight, node) => ({ weight, key: history().publishedKeys[node]! })),
    }),
    sign: (root, block) => Buffer.concat([hints().key, hints().sign(root, findSigners(block)), attestation()]),
  };
}

const shortOrder = 1n << 64n;

/** This network never settles, so nothing is verified with its key of WRAPS proofs. */
const noWrapsKey = Buffer.alloc(1768);

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
