// What leads from an item of a record file to what nodes of an address book have signed: the part of a proof document
// that is the same for the item that is shown and for updates of the address book (docs/reference/proof-documents.md).

import { formatTimestamp } from '../../../../packages/protocol/hapi/timestamp.ts';
import type { RawItem } from '../../../../packages/streams/record-stream/raw-record-file.ts';
import { surroundItem } from '../../../../packages/streams/record-stream/surround-item.ts';
import { ProofUnavailable } from '../proof-unavailable.ts';
import type { BookKey } from './book-keys.ts';
import { findSigners, type Signers } from './find-signers.ts';
import { consensusTimeOf, type SignedRecord } from './signed-record.ts';

type Hex = string;

export type RecordProof = {
  recordVersion: number;
  item: { transaction: Hex; record: Hex };
  chain?: { hapiVersion: string[]; start: Hex; before: Hex[]; after: Hex[]; end: Hex; block?: string };
  file?: { before: Hex; after: Hex };
  signatures: { node: number; signature: Hex }[];
};

/** Of the items of a list in a document. */
const maxItems = 100_000;

/**
 * The item of this consensus time, ns; null: the first. Throws ProofUnavailable: no proof has that item, whichever
 * nodes signed.
 */
export function findItem({ file, amendments }: SignedRecord, timestamp: bigint | null): RawItem {
  if (![2, 5, 6].includes(file.version)) {
    throw new ProofUnavailable(`Proof documents show nothing of record files of version ${file.version}`);
  }
  if (timestamp === null) {
    if (file.items[0]) return file.items[0];
    throw new ProofUnavailable('The record file has no transactions: there is no item to show');
  }
  const isWanted = (item: RawItem) => consensusTimeOf(item) === timestamp;
  if (amendments.some(isWanted)) {
    throw new ProofUnavailable('The transaction was amended after its record file was signed: no signature covers it');
  }
  const item = file.items.find(isWanted);
  if (item) return item;
  throw new ProofUnavailable(`The record file has no transaction of ${formatTimestamp(timestamp)}`);
}

/**
 * By the signatures of the metadata, where they are enough: they also show the number of a block. Else by those of the
 * file. A number: only so many nodes of the book have signed. Throws ProofUnavailable.
 */
export async function proveItem(
  record: SignedRecord,
  item: RawItem,
  keys: readonly BookKey[],
): Promise<RecordProof | number> {
  const { file, bytes } = record;
  const index = file.items.indexOf(item);
  const common = {
    recordVersion: file.version,
    item: { transaction: hex(item.transaction), record: hex(item.record) },
  };
  const metadata = await findSigners(record, keys, 'metadata');
  if (metadata.isEnough) {
    const chain = toChain(record, index);
    if (chain) return { ...common, chain, signatures: toSignatures(metadata) };
  }
  const whole = await findSigners(record, keys, 'file');
  if (!whole.isEnough && !metadata.isEnough) return Math.max(whole.signed.length, metadata.signed.length);
  const around = whole.isEnough ? surroundItem(file, bytes, index) : null;
  if (!around) throw new ProofUnavailable('The record file is written in a form that proof documents do not have');
  const parts = { before: hex(around.before), after: hex(around.after) };
  return { ...common, file: parts, signatures: toSignatures(whole) };
}

/** null: nothing in the file leads from its items to the running hash that it names, or a document could not say it. */
function toChain({ file, chain }: SignedRecord, index: number): RecordProof['chain'] | null {
  const { hapiVersion, previousHash, hash, items, blockNumber, version } = file;
  const parts = hapiVersion ? [hapiVersion.major, hapiVersion.minor, hapiVersion.patch] : [-1];
  if (parts.some((part) => part < 0) || (blockNumber ?? 0n) < 0n || items.length > maxItems) return null;
  const texts = chain()?.map(hex);
  if (!texts) return null;
  return {
    hapiVersion: parts.map(String),
    start: hex(previousHash),
    before: texts.slice(0, index),
    after: texts.slice(index + 1),
    end: hex(hash),
    ...(version === 6 && { block: `${blockNumber}` }),
  };
}

const toSignatures = ({ signed }: Signers) =>
  signed.map(({ node, signature }) => ({ node, signature: hex(signature) }));

function hex(bytes: Buffer): Hex {
  return bytes.toString('hex');
}
