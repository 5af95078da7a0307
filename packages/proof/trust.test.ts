import { describe, expect, it, test } from 'vitest';
import { bytesField } from '../protocol/wire-writer.ts';
import { createLabNetwork } from '../test-support/proofs/lab-network.ts';
import { type Publication, readPublication } from './publication.ts';
import { pinLedgerId, settleTrust, type Trust, takePublication, takeRotation, toStoredTrust } from './trust.ts';

const lab = createLabNetwork({ weights: [1n, 2n] });
const publication = readPublication(lab.publication);
const other = readPublication(createLabNetwork({ weights: [1n, 2n], seed: 'other' }).publication);

describe('where a ledger id comes from', () => {
  const pinned = pinLedgerId(publication.ledgerId);
  const [seen, handed] = [
    takePublication(null, publication, 'unverified'),
    takePublication(null, publication, 'records'),
  ];
  const exported = takePublication(null, publication, 'export');

  it.each([
    ['nothing', null, 'unverified', 'selfDeclared', false],
    ['nothing', null, 'records', 'handedOver', true],
    ['nothing', null, 'operator', 'pinned', true],
    ['the first block', seen, 'signedBlock', 'selfDeclared', false],
    ['the first block', seen, 'records', 'handedOver', true],
    ['signed records', handed, 'signedBlock', 'handedOver', true],
    ['the operator', pinned, 'unverified', 'pinned', false],
    ['the operator', pinned, 'signedBlock', 'pinned', true],
    ['nothing', null, 'export', 'export', false],
    ['the operator', pinned, 'export', 'pinned', false],
    ['an export', exported, 'signedBlock', 'export', true],
    ['an export', exported, 'records', 'handedOver', true],
  ] as const)('from %s, with a publication (%#)', (_name, before, source, origin, isKeyAccepted) => {
    const after = takePublication(before, publication, source);
    expect([after.origin, after.wrapsKey !== null]).toEqual([origin, isKeyAccepted || Boolean(before?.wrapsKey)]);
    expect(after.book).toBe(publication.book);
  });

  it.each([
    ['the first block', seen, ['unverified', 'operator']],
    ['signed records', handed, ['unverified', 'operator']],
    ['the operator', pinned, ['unverified', 'operator', 'records', 'export']],
    ['an export', exported, ['unverified', 'operator']],
  ] as const)('of %s, is replaced by nothing that it does not cover', (_name, trust, sources) => {
    for (const source of sources) {
      const found = `found one of ledger ${Buffer.from(other.ledgerId).toString('hex')}`;
      expect(() => takePublication(trust, other, source)).toThrow(found);
    }
  });

  it.each([
    ['the first block', 'signedBlock', 'selfDeclared', seen],
    ['the first block', 'records', 'handedOver', seen],
    ['signed records', 'signedBlock', 'handedOver', handed],
    ['signed records', 'records', 'handedOver', handed],
    ['the operator', 'signedBlock', 'handedOver', pinned],
    ['an export', 'export', 'export', exported],
    ['an export', 'signedBlock', 'export', exported],
    ['an export', 'records', 'handedOver', exported],
    [
      'the operator, once it was published',
      'records',
      'handedOver',
      takePublication(pinned, publication, 'unverified'),
    ],
  ] as const)('of %s, by %s: then its origin is %s', (_name, source, origin, before) => {
    const after = takePublication(before, other, source);
    expect(after).toMatchObject({
      origin,
      ledgerId: other.ledgerId,
      formerIds: [publication.ledgerId],
      book: other.book,
    });
    // The former id is no news, wherever it is read again, and still a good pin.
    expect(takePublication(after, publication, 'records')).toBe(after);
    expect(settleTrust(toStoredTrust(after), publication.ledgerId)).toMatchObject({ ledgerId: other.ledgerId, origin });
    expect(settleTrust(toStoredTrust(after), other.ledgerId)).toMatchObject({ origin: 'pinned' });
    expect(() => settleTrust(toStoredTrust(after), Buffer.alloc(32))).toThrow('ledgerId: expected');
  });

  it('of an export may be pinned, which says nothing of its key for WRAPS proofs', () => {
    let stored = toStoredTrust(exported);
    for (let run = 0; run < 3; run++) {
      const settled = settleTrust(stored, publication.ledgerId)!;
      expect(settled).toMatchObject({ origin: 'pinned', wrapsKey: null, book: publication.book });
      stored = toStoredTrust(settled);
    }
    expect(takePublication(settleTrust(stored, null), publication, 'signedBlock').wrapsKey).toEqual(
      publication.wrapsKey,
    );
  });

  it('has 32 or 64 bytes', () => {
    for (const length of [0, 31, 33, 63, 65, 96]) {
      expect(() => pinLedgerId(Buffer.alloc(length))).toThrow(`expected 32 or 64 bytes, found ${length}`);
    }
  });

  it('keeps a key that was accepted where a later publication is not trusted', () => {
    const unknown: Publication = { ...publication, wrapsKey: Buffer.alloc(1768, 9) };
    expect(takePublication(handed, unknown, 'unverified').wrapsKey).toBe(publication.wrapsKey);
  });
});

describe('a publication', () => {
  const changed = (at: number) => {
    const bytes = Buffer.from(lab.publication);
    bytes[at]! ^= 1;
    return bytes;
  };

  it.each([
    ['of another id than the hash of its book', changed(10), 'publication: expected an address book whose hash is in'],
    [
      'with a key whose secret nobody proves to know',
      changed(lab.publication.length - 2),
      'publication: expected proof',
    ],
    [
      'without nodes',
      Buffer.concat([bytesField(1, Buffer.alloc(32)), bytesField(2, Buffer.alloc(1768))].flat()),
      '1 to 128 nodes',
    ],
    [
      'without a key for WRAPS proofs',
      Buffer.concat(bytesField(1, Buffer.alloc(32))),
      'unknownForm: expected a WRAPS key of 1768 bytes beside a ledger id of 32, found none',
    ],
    ['without an id', Buffer.alloc(0), 'unknownForm: expected a ledger id of 32 or 64 bytes, found none'],
    ['cut off', lab.publication.subarray(0, -1), 'unknownForm: expected'],
    [
      'with a field that it has not',
      Buffer.concat([lab.publication, Buffer.of(0x20, 1)]),
      'unknownForm: expected fields 1, 2, 3 of the ledger id publication, in order, found field 4 of wire type 0',
    ],
  ])('%s is refused', (_name, bytes, message) => {
    expect(() => readPublication(bytes)).toThrow(message);
  });
});

test('rotations go on with the chain, and never back', () => {
  const trust = pinLedgerId(publication.ledgerId);
  const after = (...shown: [steps: bigint, block: bigint][]) =>
    shown.reduce<Trust>((known, [steps, block]) => takeRotation(known, steps, block), trust).rotation;
  expect(after([0n, 5n], [0n, 3n])).toEqual({ steps: 0n, block: 3n });
  expect(after([0n, 5n], [2n, 391n], [2n, 392n])).toEqual({ steps: 2n, block: 391n });
  // Blocks before the rotation may be proved after it.
  expect(after([3n, 500n], [2n, 391n])).toEqual({ steps: 3n, block: 500n });
  expect(() => after([3n, 500n], [2n, 500n])).toThrow('at least 3 steps, as block 500 shows, found 2 at block 500');
  expect(() => after([2n, 391n], [0n, 392n])).toThrow('at least 2 steps');
});
