// Blocks for tests of the importer: transactions as HAPI messages, encoded and decoded like those of a stream file, and
// the rows that the importer makes of them without a database.

import Long from 'long';
import { createEntityNames } from '../../../src/importer/block/entity-lookup.ts';
import {
  type BlockImporterOptions,
  createBlockImporter,
  type ImportedBlock,
} from '../../../src/importer/import-block.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import type { Row, TableName } from '../../schema/tables.ts';
import { decodeTransactionItem } from '../../streams/record-stream/decode-transaction-item.ts';
import type { StreamBlock, TransactionItem } from '../../streams/stream/stream-block.ts';

const secondNs = 1_000_000_000n;
/** 2024-01-01T00:00:00Z. */
export const firstTimestamp = 1_704_067_200n * secondNs;

/** One transaction; by default 1 ns after the one before, paid by 0.0.1001. */
export type TestTransaction = {
  body?: proto.ITransactionBody;
  record?: proto.ITransactionRecord;
  /** ResponseCodeEnum; SUCCESS by default. */
  status?: number;
  timestamp?: bigint;
  parentTimestamp?: bigint;
  nonce?: number;
};

export type TestBlockOptions = Partial<Omit<StreamBlock, 'transactions'>>;

function createTestBlock(transactions: TestTransaction[], options: TestBlockOptions = {}): StreamBlock {
  const start = options.consensusStart ?? firstTimestamp;
  const items = transactions.map((transaction, index) => toItem(transaction, start + BigInt(index), index));
  return {
    name: '2024-01-01T00_00_00.000000000Z.rcd.gz',
    version: 6,
    blockNumber: 0n,
    hapiVersion: { major: 0, minor: 60, patch: 0 },
    previousHash: Buffer.alloc(48),
    hash: Buffer.alloc(48, 1),
    fileHash: Buffer.alloc(48, 2),
    metadataHash: null,
    consensusStart: items[0]?.consensusTimestamp ?? start,
    consensusEnd: items.at(-1)?.consensusTimestamp ?? start,
    sizeBytes: 1000,
    sidecars: [],
    transactions: items,
    ...options,
  };
}

/** Rows that the importer makes of a block; nothing is stored by default. */
export function importTestBlock(
  transactions: TestTransaction[],
  block: TestBlockOptions = {},
  options: Partial<BlockImporterOptions> = {},
): Promise<ImportedBlock> {
  const importer = createBlockImporter({
    names: createEntityNames({ selectByEvmAddress: async () => [], selectByAlias: async () => [] }),
    selectFileContents: async () => null,
    selectHolding: async () => ({ associated: false, nonFungible: false, serialNumbers: [] }),
    addressBookStarts: new Map(),
    now: () => 1n,
    ...options,
  });
  return importer.importBlock(createTestBlock(transactions, block), 0n, async () => {});
}

/** The rows of one table, of all parts, without undefined members. */
export function rowsOf<T extends TableName>({ changes }: ImportedBlock, table: T): Row<T>[] {
  return changes.parts
    .flatMap((part) => ('operation' in part ? [] : ((part as Record<string, Row<T>[]>)[table] ?? [])))
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row<T>);
}

export function accountId(num: number): proto.IAccountID {
  return { accountNum: Long.fromNumber(num) };
}

export function tokenId(num: number): proto.ITokenID {
  return { tokenNum: Long.fromNumber(num) };
}

function toHapiTimestamp(timestamp: bigint): proto.ITimestamp {
  return { seconds: toLong(timestamp / secondNs), nanos: Number(timestamp % secondNs) };
}

export function toLong(value: bigint): Long {
  return Long.fromString(value.toString());
}

/** `amounts` by account number. */
export function transfers(amounts: Record<number, number>): proto.IAccountAmount[] {
  return Object.entries(amounts).map(([num, amount]) => ({
    accountID: accountId(Number(num)),
    amount: Long.fromNumber(amount),
  }));
}

const payer = 1001;

function toItem(transaction: TestTransaction, timestamp: bigint, index: number): TransactionItem {
  const at = transaction.timestamp ?? timestamp;
  const transactionID = {
    accountID: accountId(payer),
    transactionValidStart: toHapiTimestamp(at - secondNs),
    nonce: transaction.nonce ?? 0,
  };
  const body = { transactionID, ...transaction.body };
  const record = {
    consensusTimestamp: toHapiTimestamp(at),
    transactionID: body.transactionID,
    transactionHash: Buffer.alloc(48, index),
    ...transaction.record,
    receipt: { status: transaction.status ?? 22, ...transaction.record?.receipt },
    ...(transaction.parentTimestamp ? { parentConsensusTimestamp: toHapiTimestamp(transaction.parentTimestamp) } : {}),
  };
  const raw = {
    transaction: Buffer.from(
      proto.Transaction.encode({
        signedTransactionBytes: proto.SignedTransaction.encode({
          bodyBytes: proto.TransactionBody.encode(body).finish(),
        }).finish(),
      }).finish(),
    ),
    record: Buffer.from(proto.TransactionRecord.encode(record).finish()),
  };
  const { item, problem } = decodeTransactionItem(raw, index);
  if (problem) throw new Error(problem);
  return item;
}
