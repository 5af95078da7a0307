// Documents of items of record files with any content, in every version, on their own and inside blocks: accepted by
// the verifier for others; and files of which no verifier would accept a document.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProvenRecord, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { toTimestampMessage } from '../../packages/protocol/hapi/timestamp.ts';
import { bytesField, intField, messageField } from '../../packages/protocol/wire-writer.ts';
import { writeRecordFileV6 } from '../../packages/simulated-network/formats/write-record-file.ts';
import { itemKinds, writeItem } from '../../packages/streams/block-stream/block-item.ts';
import { writeWrappedRecord } from '../../packages/streams/block-stream/wrapped-record.ts';
import type { RawItem } from '../../packages/streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../packages/streams/record-stream/record-file.ts';
import { writeRecordFileV2 } from '../../packages/streams/record-stream/record-file-v2.ts';
import { writeRecordFileV5 } from '../../packages/streams/record-stream/record-file-v5.ts';
import { hashField, itemField, versionFields } from '../../packages/streams/record-stream/record-file-v6.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { createTestKeys, type TestKey, transferItem } from '../../packages/test-support/streams/signed-stream.ts';
import { ProofUnavailable } from '../../src/ledger/proofs/proof-unavailable.ts';
import { readBookKeys } from '../../src/ledger/proofs/record/book-keys.ts';
import { findItem, proveItem } from '../../src/ledger/proofs/record/prove-item.ts';
import {
  createSignedRecord,
  openWrappedRecord,
  type SignedRecord,
} from '../../src/ledger/proofs/record/signed-record.ts';
import { findSchemaErrors } from './check-schema.ts';
import { findAcceptedFlips } from './flip-bits.ts';

const flips = Number(process.env.DOCUMENT_FLIPS ?? (isLong ? 60 : 12));

const keys = createTestKeys(7);
const toHex = ({ publicKey }: Pick<TestKey, 'publicKey'>) =>
  publicKey.export({ format: 'der', type: 'spki' }).toString('hex');
const toBook = (...texts: string[]): Buffer =>
  Buffer.from(proto.NodeAddressBook.encode({ nodeAddress: texts.map((RSA_PubKey) => ({ RSA_PubKey })) }).finish());
const book = toBook(...keys.map(toHex));
const addressBookHash = (content: Buffer) => createHash('sha384').update(content).digest('hex');

const hapiVersion = { major: 0, minor: 50, patch: 1 };
const startRunningHash = Buffer.alloc(48, 3);
const writers = {
  2: (items: RawItem[]) => writeRecordFileV2({ previousHash: startRunningHash, items }),
  5: (items: RawItem[]) => writeRecordFileV5({ hapiVersion, startRunningHash, items }),
  6: (items: RawItem[]) => writeRecordFileV6({ hapiVersion, startRunningHash, items, blockNumber: 7n }),
};
type Version = keyof typeof writers;

const signWith = (signers: readonly number[], hash: Buffer) =>
  signers.map((node) => sign('RSA-SHA384', hash, keys[node]!.privateKey));

function signRecord(bytes: Buffer, signers: readonly number[] = [0, 1, 2, 3]): SignedRecord {
  const file = readRecordFile(bytes);
  const metadata = file.metadataHash ? signWith(signers, file.metadataHash) : [];
  return createSignedRecord({
    file,
    bytes,
    signatures: { file: signWith(signers, file.fileHash), metadata },
    amendments: [],
  });
}

/** The items of a block around the file. */
function wrap(version: Version, items: RawItem[], signers: readonly number[], amendments: readonly RawItem[] = []) {
  const bytes = writers[version](items);
  // As in version 6, whatever the version; its item 2 is the message of that file.
  const contents =
    version === 6
      ? bytes.subarray(4)
      : Buffer.concat(
          [
            messageField(1, versionFields(version === 2 ? { major: 0, minor: 3, patch: 0 } : hapiVersion)),
            hashField(2, startRunningHash),
            ...items.map(itemField),
          ].flat(),
        );
  const amended = amendments.flatMap(({ transaction, record }) =>
    messageField(4, [bytesField(1, transaction), bytesField(2, record)]),
  );
  const wrapped = Buffer.concat([writeWrappedRecord(contents, toTimestampMessage(9n), []), ...amended]);
  const signatures = signWith(signers, readRecordFile(bytes).fileHash);
  const proof = messageField(4, [
    intField(1, version),
    ...signatures.map((signature, at) => messageField(2, [bytesField(1, signature), intField(2, at)])),
  ]);
  return [writeItem(itemKinds.recordFile, wrapped), writeItem(itemKinds.blockProof, Buffer.concat(proof))];
}

async function documentOf(record: SignedRecord, item: RawItem, ofBook = book) {
  const proof = await proveItem(record, item, readBookKeys(ofBook)!);
  if (typeof proof === 'number') throw new Error(`only ${proof} nodes have signed`);
  return { version: 1, kind: 'record', ...proof, addressBook: ofBook.toString('hex') } as const;
}

const verify = (document: object, ofBook = book) =>
  verifyProof(document, { addressBookHash: addressBookHash(ofBook) }) as ProvenRecord;

const part = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.constant(new Uint8Array()),
  fc.constant(new Uint8Array(200)),
);
const items = fc
  .array(fc.tuple(part, part), { minLength: 1, maxLength: 9 })
  .map((all) =>
    all.map(([transaction, record]) => ({ transaction: Buffer.from(transaction), record: Buffer.from(record) })),
  );
const signers = fc.uniqueArray(fc.nat(6), { minLength: 3 });

describe('every item of record files with any content', () => {
  it('is proved', async () => {
    const version = fc.constantFrom<Version[]>(2, 5, 6);
    await fc.assert(
      fc.asyncProperty(items, version, fc.boolean(), signers, fc.nat(), async (all, of, isWrapped, nodes, place) => {
        const record = isWrapped ? openWrappedRecord(wrap(of, all, nodes))! : signRecord(writers[of](all), nodes);
        const index = place % all.length;
        const document = await documentOf(record, record.file.items[index]!);
        expect(findSchemaErrors(document)).toBeNull();
        const proven = verify(document);
        expect(proven).toMatchObject({ signers: 3, nodes: 7, block: of === 6 && !isWrapped ? 7n : null });
        expect(Buffer.from(proven.item.transaction)).toEqual(all[index]!.transaction);
        expect(Buffer.from(proven.item.record)).toEqual(all[index]!.record);
      }),
      { numRuns: 150 },
    );
  });

  it.each([2, 5, 6] as const)('of version %i in blocks, and in none with a bit that differs', async (version) => {
    const all = [1n, 2n, 3n].map((time) => transferItem(time, time));
    const record = openWrappedRecord(wrap(version, all, [6, 2, 4]))!;
    const document = await documentOf(record, findItem(record, 2n));
    expect(document.signatures.map(({ node }) => node)).toEqual([2, 4, 6]);
    expect(verify(document).item.record).toEqual(new Uint8Array(all[1]!.record));
    expect(await findAcceptedFlips(document, { addressBookHash: addressBookHash(book) }, flips)).toEqual([]);
  });
});

const [first, second] = [transferItem(1n, 5n), transferItem(2n, 6n)];

/** Version 6 with these fields for items. */
function writeOther(...fields: Buffer[][]): Buffer {
  const bytes = writers[6]([first, second]);
  const plain = [itemField(first), itemField(second)].flat();
  const at = bytes.indexOf(Buffer.concat(plain));
  const rest = bytes.subarray(at + Buffer.concat(plain).length);
  return Buffer.concat([bytes.subarray(0, at), ...fields.flat(), rest]);
}

describe.skipIf(isLong)('files of another form', () => {
  const withoutMetadata = (record: SignedRecord) => ({ ...record, signatures: { ...record.signatures, metadata: [] } });
  const proved = (bytes: Buffer, of = (record: SignedRecord) => record) => {
    const record = of(signRecord(bytes));
    return documentOf(record, findItem(record, 2n));
  };
  const reversed = messageField(3, [bytesField(2, second.record), bytesField(1, second.transaction)]);
  const longer = messageField(3, [bytesField(1, second.transaction), bytesField(2, second.record), intField(9, 1)]);
  const fixed = [Buffer.of(9 * 8 + 1, 1, 2, 3, 4, 5, 6, 7, 8)];

  it.each<[string, Buffer, canBeFile: boolean]>([
    ['with an item in another order of fields', writeOther(itemField(first), reversed), false],
    ['with an item that has further fields', writeOther(itemField(first), longer), false],
    ['with a fixed64 field before the item', writeOther(fixed, itemField(first), itemField(second)), false],
    ['with a fixed64 field after the item', writeOther(itemField(first), itemField(second), fixed), true],
    [
      'with an unknown field before the item',
      writeOther(bytesField(99, startRunningHash), itemField(first), itemField(second)),
      true,
    ],
  ])('%s have proofs by their metadata, and by the file only where it can be read', async (_name, bytes, canBeFile) => {
    expect(verify(await proved(bytes)).block).toBe(7n);
    const whole = proved(bytes, withoutMetadata);
    if (canBeFile) expect(verify(await whole).block).toBeNull();
    else await expect(whole).rejects.toThrow('in a form that proof documents do not have');
  });

  it('whose running hash does not follow have a proof by the file', async () => {
    const document = await proved(writeOther(itemField(second), itemField(first)));
    expect(document.file).toBeDefined();
    expect(verify(document).block).toBeNull();
  });

  it('with a block number below zero have a proof by the file', async () => {
    const of = { hapiVersion, startRunningHash, items: [first, second], blockNumber: -1n };
    const document = await proved(writeRecordFileV6(of));
    expect(document.file).toBeDefined();
    expect(verify(document).signers).toBe(3);
  });

  it.each<[string, SignedRecord, bigint | null, string]>([
    ['without items', signRecord(writeOther()), null, 'has no transactions'],
    [
      'of version 1',
      { ...signRecord(writers[2]([first])), file: { ...readRecordFile(writers[2]([first])), version: 1 } },
      1n,
      'of version 1',
    ],
    ['without that item', signRecord(writers[5]([first])), 3n, 'no transaction of 0.000000003'],
    [
      'with records that cannot be read',
      signRecord(writers[2]([{ ...first, record: Buffer.of(255) }])),
      1n,
      'no transaction of',
    ],
    [
      'with an amendment of it',
      openWrappedRecord(wrap(6, [first], [0, 1, 2], [{ ...second, record: first.record }]))!,
      1n,
      'was amended',
    ],
    ['with an amendment that adds it', openWrappedRecord(wrap(6, [first], [0, 1, 2], [second]))!, 2n, 'was amended'],
  ])('%s have none, and a reason', (_name, record, time, reason) => {
    expect(() => findItem(record, time)).toThrow(ProofUnavailable);
    expect(() => findItem(record, time)).toThrow(reason);
  });

  it('with an amendment of another item have one', async () => {
    const record = openWrappedRecord(wrap(5, [first], [0, 1, 2], [second]))!;
    expect(verify(await documentOf(record, findItem(record, 1n))).signers).toBe(3);
  });
});

describe.skipIf(isLong)('address books of another form', () => {
  const record = signRecord(writers[6]([first]), [0, 1]);
  const texts = keys.slice(0, 3).map(toHex);
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
  const signedBy = async (ofBook: Buffer) => {
    const document = await documentOf(record, record.file.items[0]!, ofBook);
    return { nodes: document.signatures.map(({ node }) => node), proven: verify(document, ofBook) };
  };

  it('count each key once, and what is no RSA key as a node that does not sign', async () => {
    const { nodes, proven } = await signedBy(
      toBook('', 'not hex', texts[2]!, texts[2]!, 'abcd', toHex(pss), texts[1]!, texts[0]!),
    );
    expect(nodes).toEqual([3, 4]);
    expect(proven).toMatchObject({ signers: 2, nodes: 5 });
  });

  it('with digits of both cases have the keys that they spell', async () => {
    const { nodes, proven } = await signedBy(toBook(texts[0]!.toUpperCase(), texts[1]!, texts[2]!));
    expect(nodes).toEqual([0]);
    expect(proven.nodes).toBe(3);
  });

  it.each<[string, Buffer]>([
    ['without keys', toBook('', 'x')],
    ['of nothing', Buffer.alloc(0)],
    ['with a number among the nodes', Buffer.concat([book, ...intField(3, 5)])],
    [
      'with a fixed32 field in a node',
      Buffer.concat(messageField(1, [bytesField(4, Buffer.from(texts[0]!)), [Buffer.of(77, 1, 2, 3, 4)]])),
    ],
    ['with a number for a key', Buffer.concat(messageField(1, [intField(4, 5)]))],
    ['that is cut off', book.subarray(0, -1)],
    ['that is compressed', gzipSync(book)],
  ])('%s are none', (_name, content) => {
    expect(readBookKeys(content)).toBeNull();
    const document = {
      ...{ version: 1, kind: 'record', recordVersion: 2 },
      ...{ item: { transaction: '', record: '' } },
    };
    const whole = {
      ...document,
      file: { before: '', after: '' },
      signatures: [],
      addressBook: content.toString('hex'),
    };
    expect(() => verify(whole, content)).toThrow();
  });
});

it.skipIf(isLong)(
  'a document of one of 5,000 transactions has 99 bytes more for each other one, and 54 with gzip',
  async () => {
    const sizesOf = async (count: number) => {
      const all = Array.from({ length: count }, (_, at) => transferItem(BigInt(at + 1), 3n));
      const record = signRecord(writers[6](all));
      const text = JSON.stringify(await documentOf(record, findItem(record, 1n)));
      return [text.length, gzipSync(text).length] as const;
    };
    const [[one, oneSmall], [many, manySmall]] = await Promise.all([sizesOf(1), sizesOf(5000)]);
    expect([Math.round((many - one) / 4999), Math.round((manySmall - oneSmall) / 4999)]).toEqual([99, 54]);
  },
);
