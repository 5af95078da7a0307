// Files of the network as values, whole files in memory: record files of every version, wrapped record blocks, block
// streams. Nothing is proved here; what cannot be read of a file is reported as doubts, and costs its transaction
// alone.

import { gunzip } from '../protocol/gunzip.ts';
import { formatEntityId, toEntityId } from '../protocol/hapi/entity-id.ts';
import { toBigInt } from '../protocol/hapi/hapi.ts';
import { type Block, toBlock } from './block-stream/block.ts';
import { itemKinds } from './block-stream/block-item.ts';
import { defaultBlockLimits } from './block-stream/block-limits.ts';
import { readBlockTransactions } from './block-stream/block-transactions.ts';
import { decodeBlockTransaction } from './block-stream/decode-block-transaction.ts';
import { readBlockItems } from './block-stream/read-block-items.ts';
import { readWrappedRecord } from './block-stream/wrapped-record.ts';
import { decodeItems } from './decode-items.ts';
import { decodeTransactionItem } from './record-stream/decode-transaction-item.ts';
import type { RawItem, RecordFile } from './record-stream/raw-record-file.ts';
import { readRecordFile } from './record-stream/record-file.ts';
import { type Doubt, doubtsOfUnknown } from './stream/doubt.ts';
import type { TransactionItem } from './stream/stream-block.ts';

export { responseCodeName } from '../protocol/hapi/response-codes.ts';
export { formatTimestamp } from '../protocol/hapi/timestamp.ts';
export { transactionTypeName } from '../protocol/hapi/transaction-types.ts';
export { StreamFileError } from '../protocol/stream-file-error.ts';
export type { Doubt } from './stream/doubt.ts';
export type { TransactionItem } from './stream/stream-block.ts';

export type StreamFile = {
  /** `block` of a block stream; `wrapped`: a block around a record file. */
  kind: 'record' | 'wrapped' | 'block';
  /** Of a record file: 1, 2, 5 or 6, also inside a block; null of a block of a block stream. */
  version: number | null;
  /** null in record files before version 6. */
  number: bigint | null;
  /** By which the next file or block names this one: 48 bytes, of block streams the root of the block. */
  hash: Buffer;
  /** 48 bytes. */
  previousHash: Buffer;
  /** In the order of the file, children included. */
  transactions: TransactionItem[];
  /** What could not be read, or is not said by this file. */
  doubts: Doubt[];
};

/**
 * A record file (`.rcd`) as stored, compressed with gzip or not. Records of sidecar files are in files of their own and
 * are left out. Throws StreamFileError.
 */
export async function readRecords(stored: Buffer): Promise<StreamFile> {
  const isCompressed = stored[0] === 0x1f && stored[1] === 0x8b;
  const file = readRecordFile(isCompressed ? gunzip(stored, 'record file') : stored);
  return { kind: 'record', number: file.blockNumber, ...(await ofRecordFile(file, file.items)) };
}

/**
 * A block (`.blk`) as stored, compressed with gzip, Zstandard or not at all. Its values of the state before the block,
 * which only earlier blocks say, are reported as doubts. Throws StreamFileError.
 */
export async function readBlock(stored: Buffer): Promise<StreamFile> {
  const parts = async function* () {
    yield stored;
  };
  const { items } = await readBlockItems(parts, { limits: defaultBlockLimits });
  const block = toBlock(items);
  return items.some(({ kind }) => kind === itemKinds.recordFile) ? ofWrappedRecord(block) : ofBlockStream(block);
}

/** The HBAR that a transaction moved, fees included: accounts as `shard.realm.num`, amounts in tinybar. */
export function transfersOf({ record }: TransactionItem): { account: string; amount: bigint }[] {
  return (record.transferList?.accountAmounts ?? []).map(({ accountID, amount }) => ({
    account: formatEntityId(toEntityId(accountID)),
    amount: toBigInt(amount),
  }));
}

async function ofWrappedRecord(block: Block): Promise<StreamFile> {
  const { recordFile } = itemKinds;
  const { signedRecordFileProof: proof } =
    block.proofs.find(({ signedRecordFileProof }) => signedRecordFileProof) ?? {};
  const wrapped = readWrappedRecord(block.items.find(({ kind }) => kind === recordFile)!.content, proof?.version ?? 6);
  return { kind: 'wrapped', number: block.number, ...(await ofRecordFile(wrapped.file, wrapped.items)) };
}

async function ofRecordFile({ version, hash, previousHash }: RecordFile, items: readonly RawItem[]) {
  const { items: transactions, doubts } = await decodeItems(items, decodeTransactionItem, (_raw, index) => index);
  return { version, hash, previousHash, transactions, doubts };
}

async function ofBlockStream(block: Block): Promise<StreamFile> {
  const made = readBlockTransactions(block.items);
  const decoded = await decodeItems(made.transactions, decodeBlockTransaction, ({ place }) => place);
  return {
    kind: 'block',
    version: null,
    number: block.number,
    hash: block.roots.sixteen,
    previousHash: block.footer.previousBlockRootHash,
    transactions: decoded.items,
    doubts: [...made.doubts, ...decoded.doubts, ...doubtsOfUnknown(made.unknown)],
  };
}
