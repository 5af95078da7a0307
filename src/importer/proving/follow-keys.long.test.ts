// The key of a chain, followed from block to block: what is covered and what is trusted, for honest networks and for
// those who want a key to be believed that nobody vouches for. A second reading says what may be believed at most.
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredTrust } from '../../../packages/proof/trust.ts';
import { createLabKeys } from '../../../packages/test-support/proofs/lab-keys.ts';
import { createProofChecker } from './check-proofs.ts';
import type { BlockToCheck } from './checked-proofs.ts';
import { type KnownLedger, type LedgerAt, unknownLedger } from './ledger-change.ts';
import type { GivenTrust } from './trust-holder.ts';

// Lets the runner hear of the test before: each computes for long.
beforeEach(() => setImmediate());

const keyCount = 4;
const lab = createLabKeys({ count: keyCount });
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const keyName = (keyHash: Uint8Array) => lab.keyHashes.findIndex((hash) => hex(hash) === hex(keyHash));

/**
 * `by`: the key; null: no proof. `way` state: over the next block, to which the proof leads. `names`: keys in its
 * state.
 */
type Plan = { by: number | null; way: 'own' | 'damaged' | 'state'; names: readonly number[] };

const own = (by: number, ...names: number[]): Plan => ({ by, way: 'own', names });

function toBlock({ by, way, names }: Plan, number: number): BlockToCheck {
  const proof =
    by === null ? [] : [way === 'state' ? lab.led(number, number + 1, by) : lab.signed(number, by, way === 'damaged')];
  return {
    number: BigInt(number),
    roots: { sixteen: lab.rootOf(number), eight: null },
    proofs: proof,
    publications: [],
    namedKeys: names.map((key) => lab.keys[key]!),
  };
}

type Outcome = {
  covered: number;
  unproved: boolean;
  trusted: number[];
  halt: string | null;
  known: KnownLedger;
  /** What is stored with blocks. */
  changes: LedgerAt[];
};

/** One for all: it keeps what it has verified, and begins anew each time. */
const checker = createProofChecker();
const given: GivenTrust = { stored: unknownLedger, ledgerId: lab.ledgerId, ledgerKey: null, publication: null };

/** @param batches how many blocks are checked at once, again and again; from which block on they come */
function follow(plans: readonly Plan[], batches: readonly number[], { from = 0, begin = given } = {}): Outcome {
  expect(checker.begin(begin)).toBe(null);
  const outcome: Outcome = {
    ...{ covered: -1, unproved: false, trusted: [], halt: null, known: begin.stored, changes: [] },
  };
  for (let at = from, batch = 0; at < plans.length && !outcome.halt; batch++) {
    const size = batches[batch % batches.length]!;
    const found = checker.check(plans.slice(at, at + size).map((plan, index) => toBlock(plan, at + index)));
    for (const [index, verdict] of found.verified) {
      outcome.covered = Math.max(outcome.covered, at + index);
      outcome.unproved ||= verdict.state === 'unproved';
    }
    outcome.halt = found.halt && `${found.halt.code} at ${at + found.halt.index}`;
    outcome.known = { trust: found.trust, unread: found.unread, unprovedKeys: found.unprovedKeys };
    outcome.changes.push(...found.changes);
    if (found.verified.size > 0) outcome.changes.push({ block: BigInt(outcome.covered), known: outcome.known });
    at += size;
  }
  outcome.trusted = (outcome.known.trust?.keys ?? []).map(({ keyHash }) => keyName(keyHash)).sort();
  return outcome;
}

/**
 * What may be believed at most, whatever the order of checks: key 0, and each key that a block names up to one that a
 * believed key has signed, by itself or over the next block.
 */
function believable(plans: readonly Plan[]): { covered: number; trusted: Set<number> } {
  const trusted = new Set([0]);
  let covered = -1;
  for (let isNews = true; isNews; ) {
    isNews = false;
    for (const [number, { by, way }] of plans.entries()) {
      if (number <= covered || by === null || way === 'damaged' || !trusted.has(by)) continue;
      covered = number;
      for (const { names } of plans.slice(0, number + 1)) for (const key of names) trusted.add(key);
      isNews = true;
      break;
    }
  }
  return { covered, trusted };
}

const someBatches = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 });
const anyKey = fc.nat(keyCount - 1);
const anyPlan: fc.Arbitrary<Plan> = fc.record({
  by: fc.option(anyKey, { freq: 8 }),
  way: fc.constantFrom('own', 'own', 'own', 'damaged', 'state'),
  names: fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    { arbitrary: fc.array(anyKey, { maxLength: 2 }), weight: 1 },
  ),
});

/**
 * A network that names each key before it signs with it, in blocks that the key before signs; some proofs are late or
 * lost.
 */
const honest: fc.Arbitrary<Plan[]> = fc
  .array(fc.record({ before: fc.nat(2), between: fc.nat(2), after: fc.nat(2), isLate: fc.boolean() }), {
    minLength: 1,
    maxLength: keyCount - 1,
  })
  .map((rotations) => {
    const plans: Plan[] = [own(0, 0)];
    for (const [key, { before, between, after, isLate }] of rotations.entries()) {
      for (let block = 0; block < before; block++) plans.push(own(key));
      // The block that names the key is signed itself, or covered by the next one.
      if (isLate) plans.push({ by: null, way: 'own', names: [key + 1] }, own(key));
      else plans.push(own(key, key + 1));
      for (let block = 0; block < between; block++) plans.push({ ...own(key), way: block % 2 ? 'own' : 'damaged' });
      plans.push(own(key + 1, key + 1));
      for (let block = 0; block < after; block++) plans.push(own(key + 1));
    }
    return plans;
  });

describe('a network that names its keys', () => {
  it('is followed through every rotation, whatever is checked at once', () => {
    fc.assert(
      fc.property(honest, someBatches, (plans, batches) => {
        const { covered, trusted, halt } = follow(plans, batches);
        expect([halt, covered]).toEqual([null, plans.length - 1]);
        expect(trusted).toEqual([...believable(plans).trusted].sort());
      }),
      { numRuns: 60 },
    );
  });

  it('is followed by an import that is killed behind any block: what is stored with blocks is enough', () => {
    fc.assert(
      fc.property(honest, someBatches, fc.nat(100), fc.nat(100), (plans, batches, end, place) => {
        const before = follow(plans.slice(0, 1 + (end % plans.length)), batches);
        // So many of those that are covered were stored; the others are read again.
        const from = place % (before.covered + 2);
        const stored = before.changes.findLast(({ block }) => block < BigInt(from))?.known ?? unknownLedger;
        const { covered, halt } = follow(plans, batches, { from, begin: { ...given, stored } });
        expect([halt, from > 0 ? Math.max(covered, from - 1) : covered]).toEqual([null, plans.length - 1]);
      }),
      { numRuns: 80 },
    );
  });
});

describe('a key that nobody vouches for', () => {
  it('is never believed, and covers nothing: any blocks, any batches', () => {
    fc.assert(
      fc.property(fc.array(anyPlan, { minLength: 2, maxLength: 10 }), someBatches, (plans, batches) => {
        const last = plans.length - 1;
        const open = plans.map((plan, number) =>
          number === last && plan.way === 'state' ? { ...plan, way: 'own' as const } : plan,
        );
        const most = believable(open);
        const { covered, trusted, unproved } = follow(open, batches);
        expect(covered).toBeLessThanOrEqual(most.covered);
        expect(trusted.filter((key) => !most.trusted.has(key))).toEqual([]);
        expect(unproved).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, Plan[], string | null, number, number[]]>([
    ['that no block names stops the import', [own(0, 0), own(0), own(1)], 'unknownKey at 2', 1, [0]],
    ['that is named only after it has signed', [own(0, 0), own(1), own(0, 1)], 'unknownKey at 1', 0, [0]],
    ['that only the block names which it signs', [own(0, 0), own(1, 1), own(1)], 'unknownKey at 1', 0, [0]],
    [
      'that proves the block which names it by a later one',
      [own(0, 0), { by: null, way: 'own', names: [1] }, own(1)],
      null,
      0,
      [0],
    ],
    [
      'to which the proof of the block leads that names it',
      [own(0, 0), { by: 1, way: 'state', names: [1] }, own(1)],
      null,
      0,
      [0],
    ],
    [
      'whose naming only a forged signature covers',
      [own(0, 0), { by: 0, way: 'damaged', names: [1] }, own(1), own(1)],
      null,
      0,
      [0],
    ],
    ['that another such key names', [own(0, 0), own(1, 1, 2), own(2), own(2)], 'unknownKey at 1', 0, [0]],
    [
      'is believed once the key before covers the block',
      [own(0, 0), { by: null, way: 'own', names: [1] }, own(0), own(1)],
      null,
      3,
      [0, 1],
    ],
    ['is believed from the block on that names it', [own(0, 0), own(0, 1), own(1), own(1)], null, 3, [0, 1]],
    ['is refused once another has taken over', [own(0, 0), own(0, 1), own(1), own(0)], 'networkProof at 3', 2, [0, 1]],
    ['may come back where it is named again', [own(0, 0), own(0, 1), own(1), own(1, 0), own(0)], null, 4, [0, 1]],
  ])('%s', (_name, plans, halt, covered, trusted) => {
    for (const batches of [[1], [2], [3], [10]]) {
      const found = follow(plans, batches);
      expect([batches, found.halt, found.covered, found.trusted]).toEqual([batches, halt, covered, trusted]);
    }
  });
});

describe('a stream that begins in the middle', () => {
  const plans = [own(0, 0), own(0, 1), own(1, 1), own(1), own(1, 2), own(1), own(2, 2), own(2)];

  it('is kept as unproved, and what its blocks name is not believed', () => {
    const { covered, unproved, halt, trusted, known } = follow(plans, [2], { from: 3 });
    expect([covered, unproved, halt, trusted]).toEqual([7, true, null, [0]]);
    expect(known.unprovedKeys.map(({ keyHash, block }) => [keyName(keyHash), block])).toEqual([[2, 6n]]);
  });

  it('is proved from the key on that the operator names, over restarts', () => {
    const early = follow(plans.slice(0, 6), [2], { from: 3 });
    expect(early.known.unprovedKeys.map(({ keyHash, block }) => [keyName(keyHash), block])).toEqual([[2, 4n]]);
    const begin = { ...given, stored: early.known, ledgerKey: lab.keyHashes[2]! };
    const later = follow(plans, [1], { from: 6, begin });
    expect([later.covered, later.unproved, later.halt, later.trusted]).toEqual([7, false, null, [0, 2]]);
    // What the stored blocks named is believed as well, since the proved ones lead to them.
    const both = follow([...plans.slice(0, 5), own(1, 3), own(2, 2), own(2), own(3)], [1], {
      from: 6,
      begin: { ...begin, stored: { ...early.known, unprovedKeys: [{ keyHash: lab.keyHashes[3]!, block: 5n }] } },
    });
    expect([both.covered, both.halt, both.trusted]).toEqual([7, 'networkProof at 8', [0, 2, 3]]);
  });

  it('follows the key strictly once one has been proved', () => {
    const begin = { ...given, ledgerKey: lab.keyHashes[1]! };
    const { covered, halt, known } = follow([...plans.slice(0, 4), own(3)], [1], { from: 3, begin });
    expect([covered, halt]).toEqual([3, 'unknownKey at 4']);
    expect((known.trust as StoredTrust).keys.map(({ source }) => source)).toEqual(['ledgerId', 'pinned']);
  });

  it('takes no name over a gap', () => {
    expect(checker.begin({ ...given, ledgerKey: lab.keyHashes[1]! })).toBe(null);
    const first = checker.check([toBlock(own(3, 2), 0 + 3)]);
    expect([...first.verified.values()].map(({ state }) => state)).toEqual(['unproved']);
    const after = checker.check([toBlock(own(1), 6)]);
    expect([...after.verified.values()].map(({ state }) => state)).toEqual(['verified']);
    expect(after.trust!.keys.map(({ keyHash }) => keyName(keyHash)).sort()).toEqual([0, 1]);
  });
});
