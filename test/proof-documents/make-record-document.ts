// Proof documents of record files (docs/reference/proof-documents.md), made of the files and what the nodes signed.
import { createHash, verify } from 'node:crypto';
import { readAddressBook, toPublicKey } from '../../src/protocol/hapi/address-book.ts';
import { proto } from '../../src/protocol/hapi/hapi.ts';
import type { RawItem } from '../../src/protocol/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../src/protocol/record-stream/record-file.ts';

type Hex = string;
export type RecordDocument = {
  version: 1;
  kind: 'record';
  recordVersion: number;
  item: { transaction: Hex; record: Hex };
  chain?: { hapiVersion: string[]; start: Hex; before: Hex[]; after: Hex[]; end: Hex; block?: string };
  file?: { before: Hex; after: Hex };
  addressBook: Hex;
  signatures: { node: number; signature: Hex }[];
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const sha384 = (...parts: Uint8Array[]) => createHash('sha384').update(Buffer.concat(parts)).digest();
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const itemClass = Buffer.from('e370929ba5429d8b00000001', 'hex');

type Wanted = {
  /** Not compressed. */
  file: Buffer;
  /** Of the items. */
  index: number;
  book: Buffer;
  signatures: readonly Buffer[];
  /** By the chain of running hashes, where the metadata is signed, or by the whole file. */
  by: 'chain' | 'file';
};

export function makeRecordDocument({ file: bytes, index, book, signatures, by }: Wanted): RecordDocument {
  const file = readRecordFile(bytes);
  const item = file.items[index]!;
  const signed = by === 'chain' ? file.metadataHash! : file.fileHash;
  return {
    version: 1,
    kind: 'record',
    recordVersion: file.version,
    item: { transaction: hex(item.transaction), record: hex(item.record) },
    ...(by === 'chain' ? { chain: toChain(file, index) } : { file: aroundItem(bytes, file, index) }),
    addressBook: hex(book),
    signatures: signatures.map((signature) => ({
      node: findSigner(book, signed, signature),
      signature: hex(signature),
    })),
  };
}

function toChain(file: ReturnType<typeof readRecordFile>, index: number): NonNullable<RecordDocument['chain']> {
  const { major, minor, patch } = file.hapiVersion!;
  const hashes = file.items.map(({ transaction, record }) =>
    sha384(itemClass, int32(record.length), record, int32(transaction.length), transaction),
  );
  return {
    hapiVersion: [major, minor, patch].map(String),
    start: hex(file.previousHash),
    before: hashes.slice(0, index).map(hex),
    after: hashes.slice(index + 1).map(hex),
    end: hex(file.hash),
    ...(file.version === 6 ? { block: `${file.blockNumber}` } : {}),
  };
}

function aroundItem(bytes: Buffer, { version, items }: ReturnType<typeof readRecordFile>, index: number) {
  let end = 0;
  let start = 0;
  for (const item of items.slice(0, index + 1)) {
    const encoded = encodeItem(version, item);
    start = bytes.indexOf(encoded, end);
    if (start < 0) throw new Error('the file has its items in another form');
    end = start + encoded.length;
  }
  return { before: hex(bytes.subarray(0, start)), after: hex(bytes.subarray(end)) };
}

function encodeItem(version: number, { transaction, record }: RawItem): Buffer {
  const sized = (part: Uint8Array) => [int32(part.length), part];
  if (version === 2) return Buffer.concat([Buffer.of(2), ...sized(transaction), ...sized(record)]);
  if (version === 5) return Buffer.concat([itemClass, ...sized(record), ...sized(transaction)]);
  const inner = proto.SignedTransaction.encode({ bodyBytes: transaction }).finish();
  // Both are fields 1 and 2 of bytes, as in many messages.
  const pair = Buffer.concat([inner, retag(proto.SignedTransaction.encode({ bodyBytes: record }).finish(), 2)]);
  return retag(proto.SignedTransaction.encode({ bodyBytes: pair }).finish(), 3);
}

function retag(field: Uint8Array, number: number): Buffer {
  const copy = Buffer.from(field);
  copy[0] = number * 8 + 2;
  return copy;
}

/** Its place among the distinct keys of the book. */
function findSigner(book: Buffer, hash: Buffer, signature: Buffer): number {
  const nodes = readAddressBook(book).nodes.filter(({ publicKeyHex }) => publicKeyHex !== '');
  const keys = [...new Map(nodes.map((node) => [node.publicKeyHex, toPublicKey(node)])).values()];
  return keys.findIndex((key) => verify('RSA-SHA384', hash, key, signature));
}
