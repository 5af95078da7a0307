// Proofs of real networks and of a laboratory: each verdict, under the trust of the own network, of another, and
// without any.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readAddressBook } from '../../packages/proof/address-book.ts';
import { readBlockProof } from '../../packages/proof/block-proof.ts';
import { writeScalar } from '../../packages/proof/field-bytes.ts';
import { hashLeaf, hashNode } from '../../packages/proof/hash-nodes.ts';
import { readHintsKey } from '../../packages/proof/hints-key.ts';
import { readHintsSignature } from '../../packages/proof/hints-signature.ts';
import { poseidonHashBytes } from '../../packages/proof/poseidon.ts';
import { makeChallenge } from '../../packages/proof/separate-argument.ts';
import { pinLedgerId, type Trust, takePublication } from '../../packages/proof/trust.ts';
import { createProofVerifier, type Verdict } from '../../packages/proof/verify-block-proof.ts';
import { makeInputs, readWrapsProof } from '../../packages/proof/verify-wraps.ts';
import { readWrapsKey } from '../../packages/proof/wraps-key.ts';
import { bytesField, intField, messageField } from '../../packages/protocol/wire-writer.ts';
import { type Block, toBlock } from '../../packages/streams/block-stream/block.ts';
import { itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../packages/streams/block-stream/block-messages.ts';
import { createHashTree } from '../../packages/streams/block-stream/hash-tree.ts';
import { findSubtree } from '../../packages/streams/block-stream/item-subtree.ts';
import { findSiblings, foldInclusion } from '../../packages/test-support/proofs/inclusion.ts';
import {
  findPublication,
  firstSeen,
  publicationOf,
  readRealBlock,
  realBlocks,
  realVectors,
  toBlockToProve,
  verifyOnce,
} from './real-block.ts';

// Seconds on a quiet machine.
vi.setConfig({ testTimeout: 240_000 });

// Lets the runner hear of the test before: each computes for long.
beforeEach(() => setImmediate());

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const networks = ['consensus-node-0.73', 'consensus-node-0.77', 'consensus-node-0.78', 'consensus-node-0.78-settled'];
const blocks: readonly (readonly [path: string, kind: 'signed' | 'state', restsOn: bigint, weights: string])[] = [
  ...[0, 1, 2, 3, 4].map((n) => [`consensus-node-0.73/${n}`, 'signed', BigInt(n), '2 of 3'] as const),
  ['consensus-node-0.77/0', 'signed', 0n, '3 of 4'],
  ['consensus-node-0.77/1', 'state', 5n, '3 of 4'],
  ['consensus-node-0.78/0', 'signed', 0n, '3 of 4'],
  ...[1, 2, 3, 4].map((n) => [`consensus-node-0.78/${n}`, 'state', 5n, '3 of 4'] as const),
  ['consensus-node-0.78/5', 'signed', 5n, '3 of 4'],
  ['consensus-node-0.78-settled/0', 'signed', 0n, '3 of 4'],
  ['consensus-node-0.78-settled/391', 'signed', 391n, '3 of 4'],
];
const networkOf = (path: string) => path.split('/')[0]!;

describe.skipIf(realBlocks.isAbsent)(`blocks of real networks${realBlocks.hint}`, () => {
  it('each is verified under what its own first block declares, and refused under the ledger id of another', () => {
    const verifier = createProofVerifier({ random: randomBytes });
    const trusts = new Map<string, Trust>(networks.map((network) => [network, firstSeen(network)]));
    for (const [path, kind, restsOn, weights] of blocks) {
      const block = toBlockToProve(readRealBlock(path));
      const own = trusts.get(networkOf(path))!;
      const { verdict } = verifier.verify(block, own);
      expect([path, verdict]).toMatchObject([path, { state: 'verified', kind, restsOn, origin: 'selfDeclared' }]);
      if (verdict.state !== 'verified') continue;
      expect(`${verdict.weight} of ${verdict.totalWeight}`).toBe(weights);
      const isSettled = path.endsWith('/391');
      expect([verdict.attestation, verdict.rotations]).toEqual(isSettled ? ['wraps', 0n] : ['schnorr', null]);
      expect(hex(verdict.ledgerId)).toBe(hex(own.ledgerId));
      expect(hex(verdict.bookHash!)).toBe(hex(own.ledgerId));
      for (const [network, other] of trusts) {
        if (network === networkOf(path)) continue;
        // Three have the same WRAPS key: the ledger id decides.
        expect([path, network, verifier.verify(block, other).verdict.state]).toEqual([path, network, 'refused']);
      }
    }
  });

  it.each([
    ['consensus-node-0.73', 'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a', false],
    ['consensus-node-0.77', '959198004a1c300b4f88185bd54bb8b1cfd3dd53f616bcffb56731c7d60b4d1d', true],
    ['consensus-node-0.78', '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205', true],
    ['consensus-node-0.78-settled', '17fbc01aecd3bd502b37657bde5af3e6791a13ddbe1eb95389ba5cbf84a63a2f', true],
  ])(
    '%s publishes %s, the hash of its address book, and the key of the ceremony: %s',
    (network, ledgerId, isCeremony) => {
      const publication = publicationOf(network);
      expect(hex(publication.ledgerId)).toBe(ledgerId);
      expect(hex(publication.book!.hash)).toBe(ledgerId);
      expect(takePublication(null, publication, 'unverified').wrapsKey !== null).toBe(isCeremony);
    },
  );

  it('the roots are those that the networks signed', () => {
    const rootOf = (path: string) => {
      const verdict = verifyOnce(toBlockToProve(readRealBlock(path)), firstSeen(networkOf(path)));
      return verdict.state === 'verified' ? hex(verdict.root) : verdict;
    };
    expect(rootOf('consensus-node-0.78/5')).toBe(
      '1c417b370965dd85e274b568694d0a5b3325b39f619a840df0161339864a30e389ba3aec4c7763236d2f4c505d031921',
    );
    expect(rootOf('consensus-node-0.78-settled/391')).toBe(
      'b850faadc920c095b77523520803a99c1387ebaeeb2a150aa3381b68ccfb58bf35ff8d5ade56b7313ad9f40baca1103e',
    );
  });

  it.each([
    [
      'consensus-node-0.78-settled/391',
      '3d4a720be72c48f4895f62c686b41ce93e86f2a8f228982a307a72605d808e60',
      '5165daa5f578a846c9af26b4f8f439bc369a6761291ae0b4a700297ecaeafc15',
    ],
    [
      'consensus-node-0.78-settled/0',
      '2aa3de6f35728f597379fdcb779a4f5015aa3f2b710644a0541c60d2d7313d7e',
      '5165daa5f578a846c9af26b4f8f439bc369a6761291ae0b4a700297ecaeafc15',
    ],
    [
      'consensus-node-0.78/0',
      '2bd4f23880bcdeb3890b65ce591ec7e6b1205c48799e0c3a6846d8af473ca82d',
      'c1e6c6f6ee2cd14cc9a868af18a674d35e1bbe236afe78bd7923b8eae34b5914',
    ],
    [
      'consensus-node-0.78/5',
      '5dad304647de4ee7b06a7a2f876c7a236d18ea2b90737d6cd7acb820730e9afc',
      'c1e6c6f6ee2cd14cc9a868af18a674d35e1bbe236afe78bd7923b8eae34b5914',
    ],
  ])('%s: challenge and hash of the key', (path, challenge, keyHash) => {
    const [content] = toBlockToProve(readRealBlock(path)).proofs;
    const proof = readBlockProof(content!);
    if (proof.kind === 'records') throw new Error('a proof of the network was expected');
    const key = proof.signature.subarray(0, 1096);
    const signature = readHintsSignature(proof.signature.subarray(1096, 2728));
    if (signature.form !== 'separate') throw new Error('another form of signature');
    expect(makeChallenge(readHintsKey(key), signature).toString(16)).toBe(challenge);
    expect(hex(poseidonHashBytes(key))).toBe(keyHash);
  });

  it('the inputs of a WRAPS proof', () => {
    const { proofs } = toBlockToProve(readRealBlock('consensus-node-0.78-settled/391'));
    const key = readWrapsKey(firstSeen('consensus-node-0.78-settled').wrapsKey!);
    const inputs = makeInputs(key, readWrapsProof(proofs[0]!.subarray(-704)));
    const digest = createHash('sha256')
      .update(Buffer.concat(inputs.map(writeScalar)))
      .digest('hex');
    expect([inputs.length, digest]).toEqual([40, 'baf58a6f12422fbcd73e0d97004dc19934b0def0b06e04e0b2644e2dca525180']);
  });

  it('nothing is said of a block while no ledger id is known, and of a settled one without its publication', () => {
    const settled = toBlockToProve(readRealBlock('consensus-node-0.78-settled/391'));
    const { ledgerId } = publicationOf('consensus-node-0.78-settled');
    const first = toBlockToProve(readRealBlock('consensus-node-0.78-settled/0'));
    expect(verifyOnce(settled, null)).toMatchObject({
      state: 'unchecked',
      reason: expect.stringContaining('--ledger-id'),
    });
    expect(verifyOnce(settled, pinLedgerId(ledgerId))).toMatchObject({ state: 'unchecked' });
    expect(verifyOnce(first, pinLedgerId(ledgerId))).toMatchObject({ state: 'unchecked' });
    const trust = takePublication(pinLedgerId(ledgerId), publicationOf('consensus-node-0.78-settled'), 'unverified');
    expect(verifyOnce(settled, trust)).toMatchObject({ state: 'verified', origin: 'pinned' });
    const wrapped = toBlockToProve(readRealBlock('wrapped-mainnet/0000000000082297471'));
    expect(verifyOnce(wrapped, trust)).toMatchObject({
      state: 'unchecked',
      reason: expect.stringContaining('of nodes'),
    });
  });

  it('a WRAPS key that is not the ceremony’s proves nothing, unless its publication is trusted', () => {
    const publication = publicationOf('consensus-node-0.78-settled');
    const trial = { ...publication, wrapsKey: publicationOf('consensus-node-0.73').wrapsKey };
    const settled = toBlockToProve(readRealBlock('consensus-node-0.78-settled/391'));
    expect(verifyOnce(settled, takePublication(null, trial, 'unverified'))).toMatchObject({ check: 'wrapsKey' });
    // The proof was made for another key.
    expect(verifyOnce(settled, takePublication(null, trial, 'records'))).toMatchObject({ check: 'attestation' });
  });

  it('after a rotation that a block showed, a signature from before it is refused', () => {
    const trust = firstSeen('consensus-node-0.78-settled');
    const verifier = createProofVerifier({ random: randomBytes });
    const settled = toBlockToProve(readRealBlock('consensus-node-0.78-settled/391'));
    const first = toBlockToProve(readRealBlock('consensus-node-0.78-settled/0'));
    const after = verifier.verify(settled, trust).trust!;
    expect(after.rotation).toEqual({ steps: 2n, block: 391n });
    expect(verifier.verify(first, after).verdict.state).toBe('verified');
    const rotated = { ...trust, rotation: { steps: 3n, block: 390n } };
    expect(verifier.verify(settled, rotated).verdict).toMatchObject({ state: 'refused', check: 'rotation' });
    expect(verifier.verify(first, { ...trust, rotation: { steps: 2n, block: 0n } }).verdict).toMatchObject({
      check: 'rotation',
    });
  });

  it('a signed block costs nothing where blocks before it have rested on it', () => {
    let asked = 0;
    const random = (length: number) => {
      asked += 1;
      return randomBytes(length);
    };
    const verifier = createProofVerifier({ random });
    const trust = firstSeen('consensus-node-0.78');
    const states = [1, 2, 3, 4, 5].map((number) => {
      const { verdict } = verifier.verify(toBlockToProve(readRealBlock(`consensus-node-0.78/${number}`)), trust);
      return `${verdict.state} ${asked}`;
    });
    expect(states).toEqual(Array(5).fill('verified 4'));
  });

  it('the history that a block signs has every root before it', () => {
    for (const [network, count, form] of [
      ['consensus-node-0.73', 5, 'eight'],
      ['consensus-node-0.78', 6, 'sixteen'],
    ] as const) {
      const all = Array.from({ length: count }, (_, number) =>
        toBlock(splitBlock(readRealBlock(`${network}/${number}`))),
      );
      const roots = all.map((block) => block.roots[form]!);
      for (const [number, { footer }] of all.entries()) {
        for (let index = 0; index < number; index++) {
          const siblings = findSiblings(roots.slice(0, number), index);
          const root = foldInclusion(roots[index]!, { index: BigInt(index), count: BigInt(number) }, siblings);
          expect(hex(root)).toBe(hex(footer.rootHashOfAllBlockHashesTree));
        }
      }
    }
  });

  it('one transaction of an old block leads to the signed root of a newer one', () => {
    const [old, newer] = [1, 5].map((number) =>
      toBlock(splitBlock(readRealBlock(`consensus-node-0.78/${number}`))),
    ) as [Block, Block];
    const transactions = old.items.filter(({ kind }) => kind === itemKinds.signedTransaction);
    const leaves = transactions.map(({ bytes }) => hashLeaf(bytes));
    const inSubtree = findSiblings(leaves, 17);
    const inputs = foldInclusion(leaves[17]!, { index: 17n, count: 63n }, inSubtree);
    const topOf = (block: Block, at: number) => findSiblings(topLeaves(block), at);
    const oldRoot = hashNode(
      hashLeaf(timestampOf(old)),
      foldInclusion(inputs, { index: 4n, count: 16n }, topOf(old, 4)),
    );
    expect(hex(oldRoot)).toBe(hex(old.roots.sixteen));
    const roots = [0, 1, 2, 3, 4].map(
      (number) => toBlockToProve(readRealBlock(`consensus-node-0.78/${number}`)).roots.sixteen,
    );
    const history = findSiblings(roots, 1);
    expect([transactions.length, transactions[17]!.bytes.length, inSubtree.length, history.length]).toEqual([
      63, 343, 6, 3,
    ]);
    const newRoot = hashNode(
      hashLeaf(timestampOf(newer)),
      foldInclusion(
        foldInclusion(oldRoot, { index: 1n, count: 5n }, history),
        { index: 1n, count: 16n },
        topOf(newer, 1),
      ),
    );
    const { proofs } = toBlockToProve(readRealBlock('consensus-node-0.78/5'));
    const asked = { number: 5n, roots: { sixteen: newRoot, eight: null }, proofs };
    expect(verifyOnce(asked, firstSeen('consensus-node-0.78')).state).toBe('verified');
  });

  it('a publication in a block is found once and has no other form', () => {
    const bytes = findPublication(readRealBlock('consensus-node-0.78/0'));
    expect(publicationOf('consensus-node-0.78').book!.entries.map(({ nodeId, weight }) => [nodeId, weight])).toEqual(
      [0n, 1n, 2n, 3n].map((nodeId) => [nodeId, 1n]),
    );
    expect(bytes.length).toBeGreaterThan(1768);
  });
});

/** The sixteen hashes below the root of a block, made from its items. */
function topLeaves({ footer, items }: Block): Uint8Array[] {
  const { previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash } = footer;
  const trees = Array.from({ length: 13 }, () => createHashTree());
  for (const { kind, bytes } of items) {
    const subtree = findSubtree(kind);
    if (subtree !== null) trees[subtree]!.add(Buffer.from(hashLeaf(bytes)));
  }
  const named = [previousBlockRootHash, rootHashOfAllBlockHashesTree, startOfBlockStateRootHash];
  return [...named, ...trees.map((tree) => tree.root())];
}

function timestampOf({ items }: Block): Uint8Array {
  return blockMessages.header.decode(items[0]!.content).blockTimestamp;
}

type Vector = {
  name: string;
  expect: boolean;
  ledgerId: string;
  blockRoot: string;
  nodeContributions: { nodeId: number; weight: string | number; historyProofKey: string }[];
  blockSignature: string;
};

function trustOf({ nodeContributions, ledgerId }: Pick<Vector, 'nodeContributions' | 'ledgerId'>): Trust {
  const book = readAddressBook(
    nodeContributions.map(({ nodeId, weight, historyProofKey }) => ({
      nodeId: BigInt(nodeId),
      weight: BigInt(weight),
      key: Buffer.from(historyProofKey, 'hex'),
    })),
  );
  return { ...pinLedgerId(Buffer.from(ledgerId, 'hex')), book };
}

function verifySigned(trust: Trust, root: string, signature: string): Verdict {
  const content = Buffer.concat(
    [intField(1, 7), messageField(2, [bytesField(1, Buffer.from(signature, 'hex'))])].flat(),
  );
  return verifyOnce(
    { number: 7n, roots: { sixteen: Buffer.from(root, 'hex'), eight: null }, proofs: [content] },
    trust,
  );
}

describe.skipIf(realVectors.isAbsent)(`vectors of the native library and of a laboratory${realVectors.hint}`, () => {
  const read = (name: string) => JSON.parse(readFileSync(`${realVectors.path}/${name}.json`, 'utf8'));

  it('each proof of the laboratory has its verdict', () => {
    const vectors: Vector[] = read('lab-vectors');
    expect(vectors.length).toBe(6);
    for (const vector of vectors) {
      const { state } = verifySigned(trustOf(vector), vector.blockRoot, vector.blockSignature);
      expect([vector.name, state]).toEqual([vector.name, vector.expect ? 'verified' : 'refused']);
    }
  });

  it('each proof of the native library is verified', () => {
    const vector = read('library-vectors');
    const trust = trustOf(vector);
    expect(hex(trust.book!.hash)).toBe(vector.ledgerId);
    const { wrapsKey } = firstSeen('consensus-node-0.78');
    for (const name of ['signatureWithSchnorr', 'signatureWithWraps']) {
      const verdict = verifySigned({ ...trust, wrapsKey }, vector.message, vector[name]);
      expect([name, verdict]).toMatchObject([name, { state: 'verified', weight: 1766n, totalWeight: 1766n }]);
    }
  });

  it('a client follows one transaction to the signed root of its block', () => {
    const proof = read('client-proof-391');
    const siblings: { left: boolean; hash: string }[] = [...proof.inSubtree, ...proof.inTop];
    const up = siblings.reduce(
      (hash, { left, hash: sibling }) => {
        const other = Buffer.from(sibling, 'hex');
        return left ? hashNode(other, hash) : hashNode(hash, other);
      },
      hashLeaf(Buffer.from(proof.item, 'hex')),
    );
    const root = hashNode(hashLeaf(Buffer.from(proof.timestamp, 'hex')), up);
    const trust = firstSeen('consensus-node-0.78-settled');
    expect(hex(trust.wrapsKey!)).toBe(proof.wrapsKey);
    expect(verifySigned(trust, hex(root), proof.blockSignature).state).toBe('verified');
  });
});
