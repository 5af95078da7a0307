// Vectors of the later signatures: hinTS with a merged quotient, ledger ids of 64 bytes, and what is hashed in them.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { hashGrumpkinBook, hashSeats } from '../../packages/proof/grumpkin-book.ts';
import { hashHintsKey } from '../../packages/proof/hash-hints-key.ts';
import { createPermutation, novaPoseidonHash, tagOf } from '../../packages/proof/nova-poseidon.ts';
import { readPublication } from '../../packages/proof/publication.ts';
import { pinLedgerId, takePublication } from '../../packages/proof/trust.ts';
import { createProofVerifier, type Verdict } from '../../packages/proof/verify-block-proof.ts';
import { verifyThresholdSignature } from '../../packages/proof/verify-threshold-signature.ts';
import { bytesField, intField, messageField } from '../../packages/protocol/wire-writer.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';

const vectors = findRealData('tss-d');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string) => Buffer.from(text, 'hex');
const read = <Value>(name: string) => JSON.parse(readFileSync(`${vectors.path}/${name}`, 'utf8')) as Value;

type Signatures = {
  keys: Record<string, string>;
  cases: { name: string; key: string; message: string; signature: string; expect: 'accept' | 'refuse' }[];
};
type Book = { members: number[]; weights: number[]; nodeIds: number[]; hash: string };
type BlockSignature = { name: string; blockRoot: string; bytes: string; expect: { overall?: 'refuse' } };
type Ledger = {
  librarySchnorrKeys: string[];
  libraryHashes: Book[];
  libraryHintsKey: string;
  libraryKeyHash: string;
  poseidon: { tagBook: string; tagKey: string };
  network: {
    ledgerId: string;
    publication: string;
    hintsKey: string;
    keyHash: string;
    bookHash: string;
    nodes: { nodeId: number; weight: number; historyProofKey: string }[];
    publicationsToRefuse: { why: string; bytes: string }[];
    blockSignatures: BlockSignature[];
  };
};

describe.skipIf(vectors.isAbsent)(`vectors${vectors.hint}`, () => {
  it('of hinTS with a merged quotient have the verdict that is due', () => {
    const { keys, cases } = read<Signatures>('hints-v2.json');
    const verdicts = cases.map(({ name, key, signature, message }) => {
      const isGood = verifyThresholdSignature(bytesOf(keys[key]!), bytesOf(signature), bytesOf(message));
      return [name, isGood ? 'accept' : 'refuse'];
    });
    expect(verdicts).toEqual(cases.map(({ name, expect: due }) => [name, due]));
    expect(cases.filter(({ expect: due }) => due === 'accept').length).toBeGreaterThan(10);
  });

  it('of books and keys have the hashes of the native library', () => {
    const { librarySchnorrKeys, libraryHashes, libraryHintsKey, libraryKeyHash, network } =
      read<Ledger>('ledger-id-64.json');
    for (const { members, weights, nodeIds, hash } of libraryHashes) {
      const entries = members.map((member, place) => ({
        nodeId: BigInt(nodeIds[place]!),
        weight: BigInt(weights[place]!),
        key: bytesOf(librarySchnorrKeys[member]!),
      }));
      expect(hex(hashGrumpkinBook(entries))).toBe(hash);
      // No key twice.
      expect(() => hashGrumpkinBook([...entries, { ...entries[0]!, nodeId: 9n }])).toThrow('for one node each');
    }
    expect(hex(hashHintsKey(bytesOf(libraryHintsKey)))).toBe(libraryKeyHash);
    expect(hex(hashHintsKey(bytesOf(network.hintsKey)))).toBe(network.keyHash);
  });

  it('of publications are read, or refused', () => {
    const { network } = read<Ledger>('ledger-id-64.json');
    const publication = readPublication(bytesOf(network.publication));
    expect([hex(publication.ledgerId), publication.book, publication.wrapsKey]).toEqual([network.ledgerId, null, null]);
    expect(network.ledgerId).toBe(network.bookHash + network.keyHash);
    const checks = network.publicationsToRefuse.map(({ why, bytes }) => {
      try {
        readPublication(bytesOf(bytes));
        return [why, 'read'];
      } catch (error) {
        return [why, (error as Error).message.split(':')[0]];
      }
    });
    expect(checks).toEqual([
      ['book hash does not fit (one bit of the ledger id)', 'publication'],
      ['a weight changed', 'publication'],
      ['order of the book changed', 'publication'],
      ['a node missing', 'publication'],
      ['63 bytes', 'unknownForm'],
      ['65 bytes', 'unknownForm'],
      ['64 bytes, but generation A keys (192 bytes) in the book', 'unknownForm'],
    ]);
  });

  it('of block signatures have the verdict that is due', () => {
    const { network } = read<Ledger>('ledger-id-64.json');
    const publication = readPublication(bytesOf(network.publication));
    const trusts = [pinLedgerId(bytesOf(network.ledgerId)), takePublication(null, publication, 'unverified')];
    for (const trust of trusts) {
      const verify = ({ blockRoot, bytes }: BlockSignature): Verdict => {
        const proof = Buffer.concat([intField(1, 7), messageField(2, [bytesField(1, bytesOf(bytes))])].flat());
        const block = { number: 7n, roots: { sixteen: bytesOf(blockRoot), eight: null }, proofs: [proof] };
        return createProofVerifier({ random: randomBytes }).verify(block, trust).verdict;
      };
      for (const vector of network.blockSignatures) {
        const due = vector.expect.overall === 'refuse' ? 'refused' : 'verified';
        expect([vector.name, verify(vector).state]).toEqual([vector.name, due]);
      }
      const names = new Map(network.blockSignatures.map((vector) => [vector.name, verify(vector)]));
      const [good] = network.blockSignatures;
      // Its address book is not called verified: the ledger id itself names the key.
      expect(names.get(good!.name)).toMatchObject({ state: 'verified', attestation: 'ledgerId' });
      const interim = [...names].filter(([name]) => name.startsWith('14096') || name.startsWith('704-byte'));
      expect(interim.map(([, verdict]) => verdict.state === 'refused' && verdict.check)).toEqual([
        'generation',
        'generation',
      ]);
    }
  });

  it('of tags', () => {
    const { poseidon } = read<Ledger>('ledger-id-64.json');
    expect([`${tagOf(320, 1n)}`, `${tagOf(138, 2n)}`]).toEqual([poseidon.tagBook, poseidon.tagKey]);
  });
});

test('the hashes have the known values', () => {
  const le = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
  expect(createPermutation()(new Array<bigint>(33).fill(0n))[1]!.toString(16).padStart(64, '0')).toBe(
    '0758a41feb67b69c9596861d358792ca620e094a167c4f9b713f0a488406a545',
  );
  const numbers = Array.from({ length: 33 }, (_, place) => BigInt(place + 1));
  expect(le(novaPoseidonHash(numbers, 1n))).toBe('1a9cd2961e9b456709c30ee8329048ffb83cfc8c246823f9537352f320eb472f');
  expect(hex(hashSeats([]))).toBe('52cb72cff74709a7eb0c3388cd66e32d214b4b34810b11eec9af129d6d3ab806');
  expect(hex(hashHintsKey(new Uint8Array(1096)))).toBe(
    '2e9b5aa313b2c30665fd8dc81dd354424131bba22297ee446c2feacf3ace3205',
  );
});

describe('a history key', () => {
  const key = bytesOf(
    'b1c2b958c806376d53d880a42b96747e6d14b36fd4440b594a03c7acf8fb7aae33816d2a13c87d50c4bfb70e2e5692adc711896f24b408d260eb72b9cb3f4225' +
      'd4f76a7c280c7982a389cab06c750d5f15bf5bfacdae4ebcaa965c1046903b05e8f8b4b222bd51d9a79722a4b17d257e66cc1c10672903dd6a795f07796e5809',
  );
  const hash = (bytes: Uint8Array, weight = 1n) => hex(hashGrumpkinBook([{ nodeId: 0n, weight, key: bytes }]));
  const empty = Buffer.concat([Buffer.alloc(31), Buffer.of(0x40), Buffer.alloc(31), Buffer.of(0x40), Buffer.alloc(64)]);

  it('that is known is hashed, and so is an empty seat', () => {
    expect(hash(key)).toBe('7d7a785dc9fbe75fd86f38715aff2a94184b5e4a7dcd0997d89619e1b1fc9100');
    expect(hash(empty)).not.toBe(hash(key));
    expect(hash(empty, 2n)).not.toBe(hash(empty));
  });

  it.each([
    ['with another secret', 5],
    ['with another commitment', 40],
    ['with another challenge', 70],
    ['with another response', 100],
    ['with the other y', 31],
  ])('%s is refused', (_name, at) => {
    const other = Buffer.from(key);
    other[at]! ^= at === 31 ? 0x80 : 1;
    expect(() => hash(other)).toThrow(/^(publication|encoding): expected/);
  });

  it('of an empty seat has no proof', () => {
    for (const at of [0, 32, 63, 64, 96, 127]) {
      const other = Buffer.from(empty);
      other[at]! ^= 1;
      expect(() => hash(other)).toThrow(/^(publication|encoding): expected/);
    }
  });

  it('has weights of 64 bits together', () => {
    const most = (1n << 64n) - 1n;
    expect(() => hash(key, most)).not.toThrow();
    const two = [
      { nodeId: 0n, weight: most, key },
      { nodeId: 1n, weight: 1n, key: empty },
    ];
    expect(() => hashGrumpkinBook(two)).not.toThrow();
    expect(() => hashGrumpkinBook([])).toThrow('1 to 64 nodes');
    expect(() =>
      hashGrumpkinBook(Array.from({ length: 65 }, (_, node) => ({ ...two[1]!, nodeId: BigInt(node) }))),
    ).toThrow('1 to 64 nodes');
  });
});
