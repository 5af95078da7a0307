// Which ledger id is taken from a stream, and which proofs of blocks are good under it.
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLabNetwork, type LabNetwork } from '../../../packages/test-support/proofs/lab-network.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { type BlockVerification, describeProof, notVerified, type UnitProof } from './block-verification.ts';
import { createLedgerProver } from './ledger-prover.ts';

// Lets the runner hear of the test before: each computes for long.
beforeEach(() => setImmediate());

const root = Buffer.alloc(48, 3);
const [own, other] = ['own', 'other'].map((seed) => createLabNetwork({ weights: [1n, 1n, 1n], seed })) as [
  LabNetwork,
  LabNetwork,
];
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A transaction with this publication, as streams have it. */
function publish(publication: Uint8Array, status: number = responseCode.SUCCESS) {
  const transactionBytes = Buffer.concat(messageField(5, [messageField(1, [bytesField(77, publication)])]));
  return { type: 77, status, transactionBytes };
}

function toBlock(version: number, transactions: object[]): StreamBlock {
  return {
    name: '8.blk.gz',
    version,
    blockNumber: 8n,
    hash: root,
    rootForms: null,
    transactions,
  } as unknown as StreamBlock;
}

const toVerification = (proofs: UnitProof[]): BlockVerification => ({
  proofs,
  node: null,
  checks: [],
  rejected: [],
  problems: [],
});
const signed = (isVerified: boolean) => toVerification([{ ...notVerified('signatures', 'unsigned'), isVerified }]);

function signedBy(network: LabNetwork): BlockVerification {
  const signature = network.sign(root, [0, 2]);
  const bytes = Buffer.concat([intField(1, 8), messageField(2, [bytesField(1, signature)])].flat());
  return toVerification([notVerified('signedBlock', 'not yet', bytes)]);
}

const ofRecords = 6;
const ofBlocks = 7;

describe('a ledger id that records publish', () => {
  it('is handed over where nodes signed them', () => {
    const prover = createLedgerProver({ ledgerId: null });
    prover.prove(toBlock(ofRecords, [publish(own.publication)]), signed(true));
    const { proofs } = prover.prove(toBlock(ofBlocks, []), signedBy(own));
    expect(proofs).toMatchObject([{ isVerified: true, network: { origin: 'handedOver', restsOn: 8n, weight: 2n } }]);
    expect(describeProof(proofs[0]!)).toBe(
      `threshold signature verified directly: weight 2 of 3, key of the first address book; ledger ${hex(own.ledgerId)} (which signed record files handed over)`,
    );
    expect(() => prover.prove(toBlock(ofBlocks, []), signedBy(other))).toThrow('networkProof: expected attestation');
    expect(() => prover.prove(toBlock(ofBlocks, [publish(other.publication)]), signedBy(other))).toThrow(
      `a publication of ledger ${hex(own.ledgerId)}, which signed records handed over, found one of ledger ${hex(other.ledgerId)}`,
    );
  });

  it.each([
    ['records that no node has signed', [publish(own.publication)], false, []],
    ['a transaction that failed', [publish(own.publication, responseCode.UNAUTHORIZED)], true, []],
    [
      'an address book of another hash',
      [publish(Buffer.from(own.publication).fill(1, 5, 6))],
      true,
      ['cannot be trusted'],
    ],
  ])('is not taken from %s', (_name, transactions, isSigned, problems) => {
    const prover = createLedgerProver({ ledgerId: null });
    const found = prover.prove(toBlock(ofRecords, transactions), signed(isSigned)).problems;
    expect(found).toEqual(problems.map((text) => expect.stringContaining(text)));
    const { proofs } = prover.prove(toBlock(ofBlocks, []), signedBy(own));
    expect(proofs).toMatchObject([{ isVerified: false, reason: expect.stringContaining('no ledger id is known') }]);
  });
});

describe('a ledger id that a block publishes', () => {
  it('is self-declared, unless it is the one that was given', () => {
    const first = toBlock(ofBlocks, [publish(own.publication)]);
    const originOf = (ledgerId: Uint8Array | null) =>
      createLedgerProver({ ledgerId }).prove(first, signedBy(own)).proofs[0]!.network?.origin;
    expect([originOf(null), originOf(own.ledgerId)]).toEqual(['selfDeclared', 'pinned']);
    expect(() => originOf(other.ledgerId)).toThrow('which is pinned');
  });

  it('is not kept from a block whose proof is refused', () => {
    const prover = createLedgerProver({ ledgerId: null });
    expect(() => prover.prove(toBlock(ofBlocks, [publish(own.publication)]), signedBy(other))).toThrow('attestation');
    const { proofs } = prover.prove(toBlock(ofBlocks, [publish(other.publication)]), signedBy(other));
    expect(proofs).toMatchObject([{ isVerified: true }]);
  });

  it('is looked for in a few transactions only', () => {
    const many = Array.from({ length: 500 }, () => publish(own.publication.subarray(0, 40)));
    const { problems } = createLedgerProver({ ledgerId: null }).prove(toBlock(ofBlocks, many), signedBy(own));
    expect(problems).toHaveLength(5);
    expect(problems[0]).toBe('500 ledger ids were published: only the first 4 are read');
  });
});

it('a proof of another kind beside a good one stays unverified', () => {
  const prover = createLedgerProver({ ledgerId: null });
  const records = Buffer.concat([intField(1, 8), messageField(4, [])].flat());
  const verification = signedBy(own);
  verification.proofs.push(notVerified('signatures', 'of no record file', records));
  const { proofs } = prover.prove(toBlock(ofBlocks, [publish(own.publication)]), verification);
  expect(proofs.map(({ kind, isVerified }) => [kind, isVerified])).toEqual([
    ['signedBlock', true],
    ['signatures', false],
  ]);
});
