// The threshold signatures of a network: keys and weights of its nodes, made of the seed, and the ledger id that
// follows from them. With an id of 32 bytes the network never settles, and keeps its hinTS key. With one of 64 bytes
// its weights change now and then, and each time it makes another key, which it names in its state before it signs with
// it. Made when first needed; a network of record files needs the publication alone.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { createSeededRandom } from '../ledger/seeded-random.ts';
import { grumpkinOrder, hashGrumpkinBook, publishGrumpkinKey } from './grumpkin-book.ts';
import { createHintsSigner, type HintsSigner } from './hints-signer.ts';
import { createHistorySigner, type SecretOf } from './history-signer.ts';
import { hashHintsKey, novaPart } from './nova-part.ts';

export type LedgerPublication = {
  /** 32 or 64 bytes. */
  ledgerId: Buffer;
  /** 1768 bytes, or none beside an id of 64. */
  wrapsKey: Buffer;
  /** In the order of node ids, which begin at 0; keys have 192 or 128 bytes. */
  nodes: { weight: bigint; key: Buffer }[];
};

/** How many keys were before it. */
type KeyNumber = number;

export type BlockSigner = {
  publication(): LedgerPublication;
  /** What signs a block, and the weights that the nodes have then. */
  keyOf(number: KeyNumber): { key: Buffer; weights: readonly bigint[] };
  /** hinTS key, signature, and what vouches for the key: 2920 or 13712 bytes. */
  sign(root: Uint8Array, block: bigint, number?: KeyNumber): Buffer;
  /** With a ledger id of 64 bytes alone. */
  canRotate: boolean;
};

export type LedgerIdBytes = 32 | 64;

/** The weights of nodes differ by up to a quarter. */
const ordinaryWeight = 1_000_000_000_000_000n;

type SignerOptions = { seed: string; nodes: number; ledgerIdBytes?: LedgerIdBytes };

export function createBlockSigner({ seed, nodes, ledgerIdBytes = 32 }: SignerOptions): BlockSigner {
  const secretOf: SecretOf = (name, order) =>
    bytesToNumberLE(createHash('sha512').update(`${seed}\nproofs\n${name}`).digest()) % order;
  const ids = [...Array(nodes).keys()];
  const size = 2 ** Math.ceil(Math.log2(nodes + 1));
  const form = ledgerIdBytes === 64 ? 'merged' : 'separate';

  const weightsOf = onceEach((number: KeyNumber) => {
    const random = createSeededRandom(seed, number === 0 ? 'weights of nodes' : `weights of nodes ${number}`);
    return ids.map(() => (ordinaryWeight * BigInt(random.integer(75, 125))) / 100n);
  });
  const hints = onceEach((number: KeyNumber) => {
    const { ORDER: order } = bls12_381.fields.Fr;
    // As many times the size of the domain as makes the secret of an aggregate key a short number: signing is faster
    // then.
    const secrets = ids.map((node) => BigInt(size) * secretOf(`signing ${node}`, shortOrder));
    return createHintsSigner({ weights: weightsOf(number), size, tau: secretOf('tau', order), secrets, form });
  });

  /** All but one, where the others have more than half of the weight. */
  function findSigners(block: bigint, weights: readonly bigint[]): number[] {
    const absent = createSeededRandom(seed, `signers of block ${block}`).below(nodes);
    const signers = ids.filter((node) => node !== absent);
    const weightOf = (some: readonly number[]) => some.reduce((total, node) => total + weights[node]!, 0n);
    return 2n * weightOf(signers) > weightOf(ids) ? signers : ids;
  }

  const parts = { weightsOf, hints, secretOf };
  const book = ledgerIdBytes === 64 ? rotatingBook(parts) : firstBook(parts, findSigners(0n, weightsOf(0)));

  return {
    publication: book.publication,
    keyOf: (number) => ({ key: hints(number).key, weights: weightsOf(number) }),
    sign(root, block, number = 0) {
      const { key, sign } = hints(number);
      return Buffer.concat([key, sign(root, findSigners(block, weightsOf(number))), book.vouchFor(number)]);
    },
    canRotate: ledgerIdBytes === 64,
  };
}

type Book = {
  publication(): LedgerPublication;
  /** The last part of a block signature. */
  vouchFor(number: KeyNumber): Buffer;
};

type Parts = {
  weightsOf(number: KeyNumber): readonly bigint[];
  hints(number: KeyNumber): HintsSigner;
  secretOf: SecretOf;
};

/** The Schnorr signatures of the first book. */
function firstBook({ weightsOf, hints, secretOf }: Parts, signers: readonly number[]): Book {
  const weights = weightsOf(0);
  const history = onceEach(() => createHistorySigner({ weights, secretOf }));
  const attestation = onceEach(() => history().attest(hints(0).key, signers));
  return {
    publication: () => ({
      ledgerId: history().ledgerId,
      wrapsKey: noWrapsKey,
      nodes: weights.map((weight, node) => ({ weight, key: history().publishedKeys[node]! })),
    }),
    vouchFor: () => attestation(),
  };
}

/** What looks like a proof of the chain of books: its beginning fits, and the rest cannot be checked. */
function rotatingBook({ weightsOf, hints, secretOf }: Parts): Book {
  const secrets = weightsOf(0).map((_, node) => 1n + secretOf(`history ${node}`, grumpkinOrder - 1n));
  const stateOf = onceEach((number: KeyNumber) =>
    Buffer.concat([hashGrumpkinBook(secrets, weightsOf(number)), hashHintsKey(hints(number).key)]),
  );
  const publishedKeys = onceEach(() =>
    secrets.map((secret, node) => publishGrumpkinKey(secret, 1n + secretOf(`commitment ${node}`, grumpkinOrder - 1n))),
  );
  return {
    publication: () => ({
      ledgerId: stateOf(0),
      wrapsKey: Buffer.alloc(0),
      nodes: weightsOf(0).map((weight, node) => ({ weight, key: publishedKeys()[node]! })),
    }),
    vouchFor: onceEach((number: KeyNumber) => novaPart(number + 1, stateOf(0), stateOf(number))),
  };
}

const shortOrder = 1n << 64n;

/** This network never settles, so nothing is verified with its key of WRAPS proofs. */
const noWrapsKey = Buffer.alloc(1768);

/** The newest few that were made stay. */
function onceEach<T>(make: (number: KeyNumber) => T): (number?: KeyNumber) => T {
  const made = new Map<KeyNumber, T>();
  return (number = 0) => {
    const value = made.get(number) ?? make(number);
    made.set(number, value);
    for (const old of made.keys()) if (old !== 0 && old < number - 2) made.delete(old);
    return value;
  };
}
