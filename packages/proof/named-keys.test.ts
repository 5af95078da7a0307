// Ledgers with an id of 64 bytes: how the key of a signature comes to be trusted, and when it is not any more.
import { randomBytes } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { bytesField, intField, messageField } from '../protocol/wire-writer.ts';
import { createRotatingLabNetwork, type RotatingLabNetwork } from '../test-support/proofs/rotating-lab-network.ts';
import { readPublication } from './publication.ts';
import {
  pinKey,
  pinLedgerId,
  restoreTrust,
  type Trust,
  takeKeyUse,
  takeNamedKey,
  takePublication,
  toStoredTrust,
} from './trust.ts';
import { describeAttestation, type Verdict, type Verified } from './verdict.ts';
import { createProofVerifier } from './verify-block-proof.ts';

const first = createRotatingLabNetwork({ weights: [1n, 2n, 3n] });
const second = first.rotate([2n, 2n, 3n]);
const third = first.rotate([3n, 2n, 3n]);
const foreign = createRotatingLabNetwork({ weights: [1n, 2n, 3n], seed: 'foreign' });
const pinned = pinLedgerId(first.ledgerId);

const rootOf = (block: number) => Buffer.alloc(48, block);
const verifier = createProofVerifier({ random: randomBytes });

function ask(block: number, signature: Uint8Array, publishedIds: readonly Uint8Array[] = []) {
  const proof = Buffer.concat([intField(1, block), messageField(2, [bytesField(1, signature)])].flat());
  return { number: BigInt(block), roots: { sixteen: rootOf(block), eight: null }, proofs: [proof], publishedIds };
}

/** The verdict of a block that this network has signed, and what is trusted after it. */
function verify(trust: Trust, block: number, by: RotatingLabNetwork): { verdict: Verdict; trust: Trust } {
  const { verdict, trust: after } = verifier.verify(ask(block, by.sign(rootOf(block), [1, 2])), trust);
  return { verdict, trust: after! };
}

function verified(trust: Trust, block: number, by: RotatingLabNetwork): { verdict: Verified; trust: Trust } {
  const { verdict, trust: after } = verify(trust, block, by);
  if (verdict.state !== 'verified') throw new Error(JSON.stringify(verdict));
  return { verdict, trust: after };
}

/** Block `block`, which `by` has signed, names a key. */
function name(trust: Trust, block: number, by: RotatingLabNetwork, { keyHash }: RotatingLabNetwork): Trust {
  const { verdict, trust: after } = verified(trust, block, by);
  return takeNamedKey(after, { keyHash, block: BigInt(block), covered: verdict });
}

describe('a key is trusted', () => {
  it('that the ledger id names', () => {
    const { verdict, trust } = verify(pinned, 5, first);
    expect(verdict).toMatchObject({
      state: 'verified',
      kind: 'signed',
      restsOn: 5n,
      weight: 5n,
      totalWeight: 6n,
      attestation: 'ledgerId',
      namedBy: null,
      rotations: null,
      bookHash: null,
      origin: 'pinned',
    });
    if (verdict.state !== 'verified') return;
    expect(Buffer.from(verdict.keyHash)).toEqual(first.keyHash);
    expect(trust.keys).toMatchObject([{ source: 'ledgerId', block: null, signsFrom: 5n }]);
    // A publication names it as well, whoever says so.
    const seen = takePublication(null, readPublication(first.publication), 'unverified');
    expect(verify(seen, 5, first).verdict).toMatchObject({ attestation: 'ledgerId', origin: 'selfDeclared' });
  });

  it('that a block under a trusted key has named, and so on', () => {
    const shown = verified(name(pinned, 5, first, second), 7, second);
    expect(shown.verdict).toMatchObject({ attestation: 'namedKey', namedBy: 5n });
    const trust = name(shown.trust, 8, second, third);
    expect(verified(trust, 9, third).verdict).toMatchObject({ attestation: 'namedKey', namedBy: 8n });
    // Also after a restart.
    expect(verified(restoreTrust(toStoredTrust(trust)), 9, third).verdict).toMatchObject({ namedBy: 8n });
  });

  it('that the operator names', () => {
    expect(verified(pinKey(pinned, second.keyHash), 9, second).verdict).toMatchObject({
      attestation: 'pinnedKey',
      namedBy: null,
      rotations: null,
    });
    // It says nothing of other keys.
    expect(verify(pinKey(pinned, second.keyHash), 9, third).verdict).toMatchObject({ state: 'unproved' });
    expect(() => pinKey(pinned, Buffer.alloc(31))).toThrow('32 bytes, found 31 bytes');
  });
});

describe('a key is not trusted', () => {
  it('that nothing names: the signature is good, and that is said apart', () => {
    const { verdict, trust } = verify(pinned, 5, second);
    expect(verdict).toMatchObject({
      state: 'unproved',
      attestation: 'unproved',
      weight: 5n,
      totalWeight: 7n,
      restsOn: 5n,
    });
    expect(trust).toBe(pinned);
    expect(describeAttestation({ attestation: 'unproved' })).toContain('the proof of the address book is not checked');
  });

  it('that a block names which it has signed itself', () => {
    const { verdict } = verify(pinned, 5, second);
    // There is no verdict to name it with: the types ask for one that is verified.
    expect(verdict.state).not.toBe('verified');
  });

  it('that is named in a later block than the one that is covered, or in one of another ledger', () => {
    const { verdict, trust } = verified(pinned, 5, first);
    const { keyHash } = second;
    expect(() => takeNamedKey(trust, { keyHash, block: 6n, covered: verdict })).toThrow(
      'covers block 6, found one of block 5',
    );
    const other = verified(pinLedgerId(foreign.ledgerId), 5, foreign).verdict;
    expect(() => takeNamedKey(trust, { keyHash, block: 5n, covered: other })).toThrow('ledgerId: expected');
    expect(() => takeNamedKey(trust, { keyHash: keyHash.subarray(1), block: 5n, covered: verdict })).toThrow(
      'found 31 bytes',
    );
  });

  it('that has no majority, or has signed another root', () => {
    const one = verifier.verify(ask(5, first.sign(rootOf(5), [2])), pinned).verdict;
    expect(one).toMatchObject({ state: 'refused', check: 'threshold' });
    const other = verifier.verify(ask(5, first.sign(rootOf(6), [1, 2])), pinned).verdict;
    expect(other).toMatchObject({ state: 'refused', check: 'signature' });
  });
});

describe('once another key signs', () => {
  const rotated = verified(name(pinned, 5, first, second), 7, second).trust;

  it('the one before it is refused, from there on', () => {
    expect(verify(rotated, 8, first).verdict).toMatchObject({ state: 'refused', check: 'rotation' });
    expect(() => verifier.attest(ask(8, first.sign(rootOf(8), [1, 2])), rotated)).toThrow('rotation: expected');
    expect(verify(rotated, 6, first).verdict).toMatchObject({ state: 'verified' });
  });

  it('it may sign again where a block has named it again', () => {
    const again = name(rotated, 8, second, first);
    expect(verified(again, 9, first).verdict).toMatchObject({ attestation: 'ledgerId' });
    // And then the second one is the old one.
    const back = verified(again, 9, first).trust;
    expect(verify(back, 10, second).verdict).toMatchObject({ check: 'rotation' });
  });

  it('a key that was named before and never signed is refused, too', () => {
    const two = name(name(pinned, 4, first, third), 5, first, second);
    const { trust } = verified(two, 7, second);
    expect(verify(trust, 8, third).verdict).toMatchObject({ check: 'rotation' });
    const again = verified(name(trust, 8, second, third), 9, third);
    expect([again.verdict.namedBy, again.trust.keys[1]!.namedLast]).toEqual([4n, 8n]);
  });

  it('the order of checks does not matter', () => {
    const known = name(pinned, 5, first, second);
    const late = verified(known, 20, second).trust;
    // Not seen yet: where between 5 and 20 the second one began.
    const between = verified(late, 12, first).trust;
    expect(verified(between, 15, second).verdict).toMatchObject({ namedBy: 5n });
    expect(verify(between, 21, first).verdict).toMatchObject({ check: 'rotation' });
  });

  it('a key that the operator pins may follow, once', () => {
    const { trust } = verified(pinKey(rotated, third.keyHash), 9, third);
    expect(verify(trust, 10, second).verdict).toMatchObject({ check: 'rotation' });
    expect(pinKey(trust, third.keyHash)).toEqual(trust);
    expect(verified(trust, 11, third).trust).toBe(trust);
  });
});

test('how keys stand is known without a look at the signature', () => {
  const named = name(pinned, 5, first, second);
  const attest = (trust: Trust, block: number, by: RotatingLabNetwork) =>
    verifier.attest(ask(block, by.sign(rootOf(block), [1, 2])), trust);
  expect(attest(pinned, 5, first)).toBe('news');
  expect(attest(named, 6, first)).toBe('known');
  expect(attest(named, 6, second)).toBe('news');
  expect(attest(takeKeyUse(named, second.keyHash, 6n), 7, second)).toBe('known');
  expect(attest(named, 6, third)).toBe('unproved');
  expect(verifier.attest({ ...ask(5, Buffer.alloc(0)), proofs: [] }, pinned)).toBeNull();
});

describe('the part of a signature that nobody can check', () => {
  const good = first.sign(rootOf(5), [1, 2]);
  const part = good.length - 11_368;
  const refused = (at: number, bytes: Uint8Array | number[]) => {
    const signature = Buffer.from(good);
    signature.set(bytes, part + at);
    return verifier.verify(ask(5, signature), pinned).verdict;
  };
  const above = Buffer.alloc(32, 0xff);

  it.each([
    ['no steps', 0, Buffer.alloc(8), 'attestation'],
    ['another number of elements', 8, [3], 'encoding'],
    ['another book in its first state', 16, [1, 2, 3], 'ledgerId'],
    ['another key in its first state', 48, [1, 2, 3], 'ledgerId'],
    ['another number of elements at the end', 80, [1], 'encoding'],
    ['another book after one step', 88, [1, 2, 3], 'attestation'],
    ['another key', 120, [1, 2, 3], 'attestation'],
    ['a first book that is no number', 16, above, 'encoding'],
    ['a last key that is no number', 120, above, 'encoding'],
  ])('is refused with %s', (_name, at, bytes, check) => {
    const verdict = refused(at, bytes);
    // After one step both states are the same, so some are told by that.
    expect([check, 'attestation']).toContain(verdict.state === 'refused' && verdict.check);
    expect(verdict.state).toBe('refused');
  });

  it('says whose it is where the ledger is another, and may be of more steps', () => {
    const other = verifier.verify(ask(5, first.signAs(foreign.ledgerId, rootOf(5), [1, 2])), pinned).verdict;
    expect(other).toMatchObject({ check: 'ledgerId' });
    const more = verifier.verify(ask(5, first.signAs(first.ledgerId, rootOf(5), [1, 2], 7)), pinned).verdict;
    expect(more).toMatchObject({ state: 'verified', rotations: null });
  });

  it('makes no difference otherwise, so that no more than that is said of it', () => {
    expect(refused(152, randomBytes(11_000))).toMatchObject({ state: 'verified', attestation: 'ledgerId' });
  });
});

describe('another ledger id of the same network', () => {
  // A second genesis: another book and id, the same key.
  const renewed = createRotatingLabNetwork({ weights: [1n, 5n, 1n], seed: 'renewed' });
  const publication = readPublication(renewed.publication);

  it('is handed over in a block that the old key has signed, and the key goes on', () => {
    const root = rootOf(6);
    // The block that publishes it may already have a proof of the new id, under the key of the old one.
    const asked = ask(6, first.signAs(renewed.ledgerId, root, [1, 2]), [renewed.ledgerId]);
    expect(verifier.verify({ ...asked, publishedIds: [] }, pinned).verdict).toMatchObject({ check: 'ledgerId' });
    const { verdict, trust } = verifier.verify(asked, pinned);
    expect(verdict).toMatchObject({ state: 'verified', attestation: 'ledgerId', bookHash: null });
    const after = takePublication(trust!, publication, 'signedBlock', 6n);
    expect(after).toMatchObject({ origin: 'handedOver', formerIds: [first.ledgerId] });
    expect(verified(after, 7, renewed).verdict).toMatchObject({ attestation: 'ledgerId' });
    // Blocks may still have proofs of the old id.
    expect(verified(after, 7, first).verdict).toMatchObject({ attestation: 'ledgerId' });
    expect(verify(verified(after, 7, renewed).trust, 8, first).verdict).toMatchObject({ check: 'rotation' });
    expect(verify(after, 7, second).verdict).toMatchObject({ state: 'refused', check: 'ledgerId' });
  });

  it('is not taken from a block that only its own key has signed', () => {
    const asked = ask(6, renewed.sign(rootOf(6), [0, 1, 2]), [renewed.ledgerId]);
    expect(verifier.verify(asked, pinned).verdict).toMatchObject({ state: 'refused', check: 'ledgerId' });
    expect(() => takePublication(pinned, publication, 'unverified')).toThrow('ledgerId: expected');
  });
});

describe('signatures of other versions', () => {
  it.each([
    [2536, true],
    [3048, true],
    [14_096, true],
    [2856, true],
    [2344, false],
    [13_711, false],
    [13_713, false],
    [2920, true],
    [3432, true],
  ])('of %d bytes are refused, by name: %s', (length, isNamed) => {
    expect(verifier.verify(ask(5, Buffer.alloc(length)), pinned).verdict).toMatchObject({
      state: 'refused',
      check: isNamed ? 'generation' : 'message',
    });
  });

  it('one of a ledger id of 64 bytes is not that of an older ledger', () => {
    const older = pinLedgerId(first.ledgerId.subarray(0, 32));
    expect(verify(older, 5, first).verdict).toMatchObject({ state: 'refused', check: 'ledgerId' });
  });
});
