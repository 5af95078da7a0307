// Which blocks are let through, when, and as proved by what: with a network that can sign anything, and without files.
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { bytesField, intField, messageField } from '../../../packages/protocol/wire-writer.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import { createLabNetwork, type LabNetwork } from '../../../packages/test-support/proofs/lab-network.ts';
import {
  type BlockVerification,
  describeCover,
  isProved,
  notVerified,
  type UnitProof,
} from '../open/block-verification.ts';
import { createProofChecker, type ProofChecker } from './check-proofs.ts';
import { type CoverageOptions, type CoveredBlock, createCoverage } from './cover-blocks.ts';
import type { BlockToCover } from './covered-block.ts';
import { unknownLedger } from './ledger-change.ts';

// Lets the runner hear of the test before: each computes for long.
beforeEach(() => setImmediate());

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

const rootOf = (number: number) => Buffer.alloc(48, number + 1);

function toOpened(number: number, version: number, proofs: UnitProof[], transactions: object[] = []): BlockToCover {
  const verification: BlockVerification = { proofs, node: null, checks: [], rejected: [], problems: [], doubts: [] };
  const name = `${number}.blk.gz`;
  const block = { name, version, blockNumber: BigInt(number), hash: rootOf(number), rootForms: null, transactions };
  return { block: block as unknown as StreamBlock, verification, unpackedBytes: 1_000, namedKeys: [], file: null };
}

/** Of the records of nodes. */
const records = (number: number, isVerified: boolean, transactions: object[]) =>
  toOpened(number, 6, [{ ...notVerified('signatures', 'unsigned'), isVerified }], transactions);

const signatures = new Map<string, Buffer>();
const signedBytes = (number: number, by: LabNetwork, damage = -1) => {
  const key = `${number} ${hex(by.ledgerId)}`;
  const known = signatures.get(key) ?? by.sign(rootOf(number), [0, 2]);
  signatures.set(key, known);
  const signature = Buffer.from(known);
  if (damage >= 0) signature[damage]! ^= 1;
  return Buffer.concat([intField(1, number), messageField(2, [bytesField(1, signature)])].flat());
};
const proofBy = (number: number, by: LabNetwork, damage = -1) =>
  notVerified('signedBlock', 'not yet', signedBytes(number, by, damage));

const signed = (number: number, by: LabNetwork, transactions: object[] = []) =>
  toOpened(number, 7, [proofBy(number, by)], transactions);
/** Of the hinTS signature. */
const damaged = (number: number) => toOpened(number, 7, [proofBy(number, own, 1500)]);
const bare = (number: number) => toOpened(number, 7, []);

const nothingGiven = { stored: unknownLedger, ledgerId: null, ledgerKey: null, publication: null };

type Told = [number: string, covered: string];

/** What comes of these blocks: each with what covers it, and the error at the end. */
async function cover(opened: readonly BlockToCover[], options: Partial<CoverageOptions> = {}) {
  const { checker, calls } = countCalls();
  const given = nothingGiven;
  const coverage = createCoverage({ checker, given, everyBlock: true, ...options });
  const told: Told[] = [];
  const all: CoveredBlock<BlockToCover>[] = [];
  const take = async (covered: AsyncIterable<CoveredBlock<BlockToCover>>) => {
    for await (const one of covered) {
      all.push(one);
      const { block, verification } = one.opened;
      const by = verification.cover;
      told.push([block.name, by ? `${by.kind} ${by.restsOn}` : isProved(verification) ? 'nodes' : 'unproved']);
    }
  };
  let refusal: string | null = null;
  try {
    for (const one of opened) await take(coverage.add(one, false));
    await take(coverage.end());
  } catch (error) {
    refusal = (error as Error).message;
  }
  return { told, all, refusal, calls };
}

function countCalls() {
  const checker = createProofChecker();
  const calls: number[] = [];
  const counted: ProofChecker = {
    ...checker,
    check: (blocks) => {
      calls.push(blocks.length);
      return checker.check(blocks);
    },
  };
  return { checker: counted, calls };
}

const published = publish(own.publication);

describe('a ledger id that records publish', () => {
  it('is handed over where nodes signed them', async () => {
    const { all, told } = await cover([records(1, true, [published]), signed(2, own)]);
    expect(told).toEqual([
      ['1.blk.gz', 'nodes'],
      ['2.blk.gz', 'signed 2'],
    ]);
    expect(all[0]!.change?.trust).toMatchObject({
      origin: 'handedOver',
      ledgerId: new Uint8Array(own.ledgerId),
      wrapsKey: expect.any(Object),
    });
    expect(describeCover(all[1]!.opened.verification.cover!)).toBe(
      `threshold signature verified directly: weight 2 of 3, key of the first address book; ledger ${hex(own.ledgerId)} (which signed record files or blocks handed over)`,
    );
  });

  it('lets no other ledger follow', async () => {
    const { told, refusal } = await cover([records(1, true, [published]), signed(2, own), signed(3, other)]);
    expect(told).toHaveLength(2);
    expect(refusal).toMatch(
      /^3\.blk\.gz: its proof is not one of the trusted ledger: networkProof: expected attestation: .*, of ledger [0-9a-f]{64}, which signed records or blocks handed over, found/,
    );
    const changed = await cover([records(1, true, [published]), signed(2, other, [publish(other.publication)])]);
    expect(changed.refusal).toContain(
      `a publication of ledger ${hex(own.ledgerId)}, which signed records or blocks handed over, or of a new id where its trusted keys have signed, found one of ledger ${hex(other.ledgerId)}`,
    );
  });

  it('is handed over to another one where nodes signed that, too', async () => {
    const again = [records(1, true, [published]), records(2, true, [publish(other.publication)]), signed(3, other)];
    const { all, told, refusal } = await cover(again);
    expect([told.at(-1), refusal]).toEqual([['3.blk.gz', 'signed 3'], null]);
    const { ledgerId, formerIds } = all[1]!.change!.trust!;
    expect([ledgerId, ...formerIds].map(hex)).toEqual([other, own].map((network) => hex(network.ledgerId)));
  });

  it.each([
    ['records that no node has signed', [published], false, []],
    ['a transaction that failed', [publish(own.publication, responseCode.UNAUTHORIZED)], true, []],
    [
      'an address book of another hash',
      [publish(Buffer.from(own.publication).fill(1, 5, 6))],
      true,
      ['cannot be trusted'],
    ],
  ])('is not taken from %s', async (_name, transactions, isSigned, problems) => {
    const { all, told } = await cover([records(1, isSigned, transactions), signed(2, own)]);
    expect(all[0]!.opened.verification.problems).toEqual(problems.map((text) => expect.stringContaining(text)));
    expect(told[1]).toEqual(['2.blk.gz', 'unproved']);
    expect(all.map(({ change }) => change?.trust ?? null)).toEqual([null, null]);
  });
});

describe('a ledger id that a block publishes', () => {
  it('is self-declared, unless it is the one that was given', async () => {
    const originOf = async (ledgerId: Uint8Array | null) => {
      const given = { ...nothingGiven, ledgerId };
      const { all, refusal } = await cover([signed(0, own, [published])], { given });
      return refusal ?? all[0]!.opened.verification.cover?.origin;
    };
    expect(await originOf(null)).toBe('selfDeclared');
    expect(await originOf(own.ledgerId)).toBe('pinned');
    expect(await originOf(other.ledgerId)).toContain('which is pinned');
  });

  it('is looked for in a few transactions only', async () => {
    const many = Array.from({ length: 500 }, () => publish(own.publication.subarray(0, 40)));
    const { all, told } = await cover([signed(0, own, [published]), signed(1, own, many)]);
    const { problems } = all[1]!.opened.verification;
    expect(problems).toHaveLength(5);
    expect(problems[0]).toBe('500 ledger ids were published: only the first 4 are read');
    expect(told[1]).toEqual(['1.blk.gz', 'signed 1']);
  });
});

describe('a publication of a form that is not known', () => {
  const unknown = publish(Buffer.concat(bytesField(1, Buffer.alloc(48, 5))));
  const reason = expect.stringContaining('a ledger id of 32 or 64 bytes');

  it('in a block that the trusted ledger signed: the import goes on, and what it says is kept', async () => {
    const { all, told } = await cover([signed(0, own, [published]), signed(1, own, [unknown]), signed(2, own)]);
    expect(told.map(([, by]) => by)).toEqual(['signed 0', 'signed 1', 'signed 2']);
    const content = new Uint8Array(bytesField(1, Buffer.alloc(48, 5)).flatMap((part) => [...part]));
    expect(all[1]!.change).toEqual({ trust: null, unread: { block: 1n, source: 'signedBlock', reason, content } });
    expect(all[2]!.change).toBe(null);
  });

  it('without a trusted ledger: the import stops, and says what to name', async () => {
    const { told, refusal } = await cover([signed(0, own), signed(1, own, [unknown])]);
    expect(told).toEqual([['0.blk.gz', 'unproved']]);
    expect(refusal).toMatch(
      /^1\.blk\.gz: a ledger id was published in a form that this version does not know: unknownPublication: .*\(--ledger-id\).*\(--ledger-key\)/,
    );
  });

  it('in signed records: they go on, and the import stops at the first block that nothing can be said of', async () => {
    const { all, told, refusal } = await cover([records(1, true, [unknown]), records(2, true, []), signed(3, own)]);
    expect(told).toEqual([
      ['1.blk.gz', 'nodes'],
      ['2.blk.gz', 'nodes'],
    ]);
    expect(all[0]!.change).toMatchObject({ trust: null, unread: { block: 1n, source: 'records', reason } });
    expect(refusal).toMatch(/^3\.blk\.gz: a ledger id was published in a form .*\(block 1\)/);
    const stored = { ...unknownLedger, unread: all[0]!.change!.unread! };
    const later = await cover([signed(3, own)], { given: { ...nothingGiven, stored } });
    expect(later.refusal).toMatch(/^3\.blk\.gz: a ledger id was published in a form .*\(block 1\)/);
  });

  it('is read by a version that knows it', async () => {
    const unread = { block: 1n, source: 'records' as const, reason: 'once', content: own.publication };
    const given = { ...nothingGiven, stored: { ...unknownLedger, unread } };
    const { all, told } = await cover([signed(3, own)], { given });
    expect(told).toEqual([['3.blk.gz', 'signed 3']]);
    expect(all[0]!.change).toMatchObject({ trust: { origin: 'handedOver' }, unread: null });
  });
});

describe('a further ledger id', () => {
  const ids = (all: CoveredBlock<BlockToCover>[]) =>
    all.flatMap(({ change }) => (change?.trust ? [hex(change.trust.ledgerId)] : []));
  const handover = publish(other.publication);

  it('is taken from a block that a trusted key signed, and said', async () => {
    const handovers: object[] = [];
    const onHandover = (one: object) => handovers.push(one);
    const blocks = [signed(0, own, [published]), signed(1, own, [handover]), signed(2, other)];
    const { all, told, refusal } = await cover(blocks, { onHandover });
    expect([refusal, told.map(([, by]) => by)]).toEqual([null, ['signed 0', 'signed 1', 'signed 2']]);
    expect(ids(all.slice(0, 2))).toEqual([own, other].map(({ ledgerId }) => hex(ledgerId)));
    expect(handovers).toEqual([{ block: 1n, from: new Uint8Array(own.ledgerId), to: new Uint8Array(other.ledgerId) }]);
  });

  it('is taken once a later block covers the one that has it', async () => {
    const bareOne = toOpened(1, 7, [], [handover]);
    const { told, refusal } = await cover([signed(0, own, [published]), bareOne, signed(2, own), signed(3, other)]);
    expect([refusal, told.map(([, by]) => by)]).toEqual([null, ['signed 0', 'chain 2', 'signed 2', 'signed 3']]);
  });

  it('is asked of the operator where only its own network signed the block', async () => {
    const { told, refusal } = await cover([
      signed(0, own, [published]),
      signed(1, other, [handover]),
      signed(2, other),
    ]);
    expect(told).toHaveLength(1);
    expect(refusal).toContain(`found one of ledger ${hex(other.ledgerId)}`);
    const covered = await cover([signed(0, own, [published])]);
    const stored = { ...unknownLedger, trust: covered.all[0]!.change!.trust };
    const named = { ...nothingGiven, stored, ledgerId: other.ledgerId };
    expect((await cover([signed(1, other, [handover])], { given: named })).refusal).toContain(
      'give both that id and its publication',
    );
    const vouched = { ...named, publication: other.publication };
    const { all, told: after } = await cover([signed(1, other, [handover])], { given: vouched });
    expect(after).toEqual([['1.blk.gz', 'signed 1']]);
    expect(all[0]!.change).toMatchObject({ trust: { origin: 'pinned', formerIds: [new Uint8Array(own.ledgerId)] } });
  });

  it('leaves the id that the operator named as good as before', async () => {
    const given = { ...nothingGiven, ledgerId: own.ledgerId };
    const { all } = await cover([signed(0, own, [published]), signed(1, own, [handover])], { given });
    const stored = { ...unknownLedger, trust: all[1]!.change!.trust };
    const { told } = await cover([signed(2, other)], { given: { ...given, stored } });
    expect(told).toEqual([['2.blk.gz', 'signed 2']]);
  });
});

describe('a block without a good proof', () => {
  it.each([
    ['damaged', damaged],
    ['missing', bare],
  ])('that is %s waits for the next one', async (_name, second) => {
    const { told, all } = await cover([signed(0, own, [published]), second(1), signed(2, own)]);
    expect(told).toEqual([
      ['0.blk.gz', 'signed 0'],
      ['1.blk.gz', 'chain 2'],
      ['2.blk.gz', 'signed 2'],
    ]);
    const [proof] = all[1]!.opened.verification.proofs;
    if (proof)
      expect(proof).toMatchObject({
        isVerified: false,
        reason: expect.stringMatching(/^encoding: expected commitment B/),
      });
  });

  it('stops the import where none of the next ones covers it', async () => {
    const { told, refusal } = await cover([signed(0, own, [published]), bare(1), damaged(2), bare(3)], {
      maxWaiting: 3,
    });
    expect(told).toEqual([['0.blk.gz', 'signed 0']]);
    expect(refusal).toMatch(
      /^1\.blk\.gz: no signature of the network covers it: unproved: expected a good proof of ledger [0-9a-f]{64} \(self-declared: .*\), of it or of one that follows it, within 3 blocks, found /,
    );
    const early = await cover([signed(0, own, [published]), bare(1)]);
    expect(early.refusal).toContain('before the blocks end');
  });

  it('is taken as before while no ledger is trusted, if it has any proof', async () => {
    expect((await cover([signed(0, own), damaged(1)])).told).toEqual([
      ['0.blk.gz', 'unproved'],
      ['1.blk.gz', 'unproved'],
    ]);
    expect((await cover([bare(0)])).refusal).toContain('format: expected block: a block proof, found none');
  });
});

describe('behind the head', () => {
  it('one signature is checked for many blocks', async () => {
    const blocks = [signed(0, own, [published]), ...[1, 2, 3, 4, 5, 6, 7].map((number) => signed(number, own))];
    const { told, calls } = await cover(blocks, { everyBlock: false, maxCollected: 3 });
    expect(told.map(([, by]) => by)).toEqual([
      'signed 0',
      ...['chain 3', 'chain 3', 'signed 3'],
      ...['chain 6', 'chain 6', 'signed 6'],
      'signed 7',
    ]);
    expect(calls).toEqual([1, 3, 3, 1]);
  });

  it('the last good one of them is found, the rest waits', async () => {
    const blocks = [signed(0, own, [published]), signed(1, own), signed(2, own), damaged(3), bare(4), signed(5, own)];
    const { told } = await cover(blocks, { everyBlock: false, maxCollected: 4 });
    expect(told.map(([, by]) => by)).toEqual(['signed 0', 'chain 2', 'signed 2', 'chain 5', 'chain 5', 'signed 5']);
  });

  it('every key is checked: another network’s proof stops the import at its block', async () => {
    const blocks = [signed(0, own, [published]), signed(1, own), signed(2, other), signed(3, own)];
    const { told, refusal } = await cover(blocks, { everyBlock: false, maxCollected: 3 });
    expect(told.map(([, by]) => by)).toEqual(['signed 0', 'signed 1']);
    expect(refusal).toContain('2.blk.gz: its proof is not one of the trusted ledger');
  });
});

it('a proof of another kind beside a good one stays unverified', async () => {
  const of = Buffer.concat([intField(1, 0), messageField(4, [])].flat());
  const proofs = [proofBy(0, own), notVerified('signatures', 'of no record file', of)];
  const { all } = await cover([toOpened(0, 7, proofs, [published])]);
  expect(all[0]!.opened.verification.proofs.map(({ kind, isVerified }) => [kind, isVerified])).toEqual([
    ['signedBlock', true],
    ['signatures', false],
  ]);
});

describe('what was stored', () => {
  const given = async (more: object = {}) => {
    const { all } = await cover([signed(0, own, [published])]);
    return { ...nothingGiven, stored: { ...unknownLedger, trust: { ...all[0]!.change!.trust!, ...more } } };
  };

  it('is trusted by the next run, also once it is given', async () => {
    const after = await given();
    expect((await cover([signed(1, own)], { given: after })).told).toEqual([['1.blk.gz', 'signed 1']]);
    const { all } = await cover([signed(1, own)], { given: { ...after, ledgerId: own.ledgerId } });
    expect(all[0]).toMatchObject({
      change: { trust: { origin: 'pinned' } },
      opened: { verification: { cover: { origin: 'pinned' } } },
    });
    const another = await cover([signed(1, own)], { given: { ...after, ledgerId: other.ledgerId } });
    expect(another.refusal).toMatch(/which the first block declared, found ledger .* Leave --ledger-id/);
  });

  it('refuses keys from before the newest rotation', async () => {
    const rotated = await given({ rotation: { steps: 3n, block: 0n } });
    const { refusal } = await cover([signed(1, own)], { given: rotated });
    expect(refusal).toContain('networkProof: expected rotation: at least 3 steps, as block 0 shows');
  });
});

describe('a pinned ledger', () => {
  const pinned = { ...nothingGiven, ledgerId: own.ledgerId };

  it('needs its publication: the import stops, a report says so', async () => {
    const { told, refusal } = await cover([signed(1, own), signed(2, own)], { given: pinned });
    expect([told, refusal]).toEqual([
      [],
      expect.stringMatching(/found .*its publication was not found.*--ledger-publication/),
    ]);
    const reported = await cover([signed(1, own)], { given: pinned, passesUnchecked: true });
    expect([reported.told, reported.refusal]).toEqual([[['1.blk.gz', 'unproved']], null]);
  });

  it('takes it from the operator', async () => {
    const { told } = await cover([signed(1, own)], { given: { ...pinned, publication: own.publication } });
    expect(told).toEqual([['1.blk.gz', 'signed 1']]);
    const wrong = await cover([signed(1, own)], { given: { ...pinned, publication: other.publication } });
    expect(wrong.refusal).toMatch(/^What was given .*which is pinned, found one of ledger/);
  });

  it('covers blocks before the one that publishes it', async () => {
    const { told } = await cover([signed(1, own), signed(2, own, [published])], { given: pinned });
    expect(told.map(([, by]) => by)).toEqual(['chain 2', 'signed 2']);
  });
});
