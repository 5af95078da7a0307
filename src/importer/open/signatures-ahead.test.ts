import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AddressBook } from '../../../packages/protocol/hapi/address-book.ts';
import { sha384 } from '../../../packages/protocol/sha384.ts';
import { writeSignatureFileV6 } from '../../../packages/simulated-network/formats/write-signature-file.ts';
import type { StreamFileCopy, StreamFileGroup, StreamSource } from '../../../packages/sources/stream-source.ts';
import { createSignaturesAhead } from './signatures-ahead.ts';
import { createSigners } from './signers.ts';
import { verifySignatures } from './verify-signatures.ts';

const nodeCount = 7;
const keys = Array.from({ length: nodeCount }, () => generateKeyPairSync('rsa', { modulusLength: 2048 }));
const signers = createSigners(bookOf(keys), null);
const fileHash = sha384(Buffer.from('file'));
const metadataHash = sha384(Buffer.from('metadata'));

function bookOf(pairs: { publicKey: KeyObject }[]): AddressBook {
  const nodes = pairs.map(({ publicKey }, index) => ({
    nodeId: BigInt(index),
    accountId: BigInt(index + 3),
    publicKeyHex: publicKey.export({ format: 'der', type: 'spki' }).toString('hex'),
  }));
  return { nodes } as unknown as AddressBook;
}

const copyOf = (index: number): StreamFileCopy => ({
  node: { name: `record0.0.${index + 3}`, accountId: BigInt(index + 3), nodeId: null },
  location: `record0.0.${index + 3}`,
  recordName: 'file.rcd.gz',
  signatureName: 'file.rcd_sig',
});
const groupOf = (count = nodeCount): StreamFileGroup => ({
  instant: '2023-11-14T22_13_20.000000000Z',
  timestamp: 1n,
  copies: Array.from({ length: count }, (_, index) => copyOf(index)),
});

/** A source whose nodes sign the file, but for those whose signatures are of something else. */
function sourceWith(bad: number[] = []) {
  const reads: number[] = [];
  const source = {
    async read({ node }: StreamFileCopy) {
      const index = Number(node.accountId! - 3n);
      reads.push(index);
      const signed = (hash: Buffer) => ({
        hash,
        signature: sign('RSA-SHA384', bad.includes(index) ? sha384(hash) : hash, keys[index]!.privateKey),
      });
      return writeSignatureFileV6(signed(fileHash), signed(metadataHash));
    },
  } as unknown as StreamSource;
  return { source, reads };
}

it.each([
  ['all are good', [], [0, 1, 2], 3],
  ['the first two are bad', [0, 1], [0, 1, 2, 3, 4], 3],
  ['of the last none is looked at', [6], [0, 1, 2], 3],
])('no more signatures than needed are looked at where %s', async (_name, bad, looked, verified) => {
  const { source, reads } = sourceWith(bad);
  const group = groupOf();
  const found = await verifySignatures({ source, group, signers, onlyEnough: true });
  expect(reads).toEqual(looked);
  expect(found).toMatchObject({ verified, present: nodeCount });
  expect(found.rejected.map(({ node }) => node)).toEqual(
    bad.filter((index) => looked.includes(index)).map((index) => `record0.0.${index + 3}`),
  );
  const [file] = found.files;
  expect(file!.fileHash).toEqual(fileHash);
  const readable = group.copies.filter((_copy, index) => !looked.includes(index) || !bad.includes(index));
  expect(file!.copies).toEqual(readable);
});

it.each([
  ['all are good', [] as number[], [0, 1, 2]],
  ['one is bad', [1], [0, 1, 2, 3]],
])(
  'signatures of a third of the nodes are looked at for proofs though fewer have the stake, where %s',
  async (_name, bad, looked) => {
    const { source, reads } = sourceWith(bad);
    const stakes = new Map(keys.map((_key, index) => [BigInt(index), index === 0 ? 100n : 1n]));
    const weighted = createSigners(bookOf(keys), stakes);
    const group = groupOf();
    const plain = createSignaturesAhead(source);
    plain.begin([group], weighted);
    expect((await plain.verify(group, weighted)).verified).toBe(1);
    expect(reads.splice(0)).toEqual([0]);
    const keeping = createSignaturesAhead(source, { keepsFiles: true });
    keeping.begin([group], weighted);
    const { files } = await keeping.verify(group, weighted);
    expect(reads).toEqual(looked);
    const signed = (hash: Buffer) =>
      looked.filter((node) => !bad.includes(node)).map((node) => sign('RSA-SHA384', hash, keys[node]!.privateKey));
    expect(files[0]!.signatures).toEqual({ file: signed(fileHash), metadata: signed(metadataHash) });
  },
);

it('all of them are looked at where too few are good, and it is reported', async () => {
  const { source, reads } = sourceWith([0, 1, 2, 3, 4]);
  const verifying = verifySignatures({ source, group: groupOf(), signers, onlyEnough: true });
  await expect(verifying).rejects.toThrow(/expected valid signatures of one file by at least 3 of 7 nodes, found 2/);
  expect(reads).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

it('what was begun ahead is used once and not done again', async () => {
  const { source, reads } = sourceWith();
  const ahead = createSignaturesAhead(source);
  const group = groupOf();
  ahead.begin([group], signers);
  ahead.begin([group], signers);
  expect(await ahead.verify(group, signers)).toMatchObject({ verified: 3, present: nodeCount });
  expect(reads).toEqual([0, 1, 2]);
});

it.each([
  [
    'others sign',
    async (ahead: ReturnType<typeof createSignaturesAhead>, group: StreamFileGroup) =>
      ahead.verify(group, createSigners(bookOf(keys.toReversed()), null)),
    /found 1 \(1 valid signatures of 7 nodes\)/,
  ],
  [
    'it failed',
    async (ahead: ReturnType<typeof createSignaturesAhead>, group: StreamFileGroup) => ahead.verify(group, signers),
    /found 0 \(0 valid signatures of 7 nodes\)/,
  ],
])('what was begun ahead counts for nothing where %s by then', async (name, verify, told) => {
  const { source } = sourceWith(name === 'it failed' ? [0, 1, 2, 3, 4, 5, 6] : []);
  const ahead = createSignaturesAhead(source);
  const group = groupOf();
  ahead.begin([group], signers);
  await expect(verify(ahead, group)).rejects.toThrow(told);
});

it('a signature that came later is looked at', async () => {
  const { source, reads } = sourceWith();
  const ahead = createSignaturesAhead(source);
  const group = groupOf(3);
  ahead.begin([group], signers);
  group.copies.push(copyOf(3));
  expect(await ahead.verify(group, signers)).toMatchObject({ verified: 4, present: 4 });
  expect(reads.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3]);
});
