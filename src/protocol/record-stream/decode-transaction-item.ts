// One raw item of a record file → transaction and result with decoded body and record. An item that cannot be read is its
// own problem only: the reader of the file decides, and an unreadable body still leaves a transaction with its result.
import { proto } from '../hapi/hapi.ts';
import { toTimestamp } from '../hapi/timestamp.ts';
import type { TransactionItem } from '../stream-block.ts';
import { StreamFileError } from '../stream-file-error.ts';
import { readHighVolume } from './newer-fields.ts';
import type { RawItem } from './raw-record-file.ts';
import { splitTransaction, transactionType } from './split-transaction.ts';

/** `problem` says what could not be read of the transaction; its item then has an empty body of type 0. */
export type DecodedTransactionItem = { item: TransactionItem; problem: string | null };

/** Throws StreamFileError when the record cannot be read or has no consensus timestamp. `sidecars` is left empty. */
export function decodeTransactionItem(raw: RawItem, index: number): DecodedTransactionItem {
  const record = decodeRecord(raw.record, index);
  if (!record.consensusTimestamp) {
    throw new StreamFileError('malformed', `record of item ${index}`, 'a consensus timestamp', 'none');
  }
  const { problem, ...transaction } = decodeTransaction(raw, index);
  return {
    item: {
      index,
      consensusTimestamp: toTimestamp(record.consensusTimestamp),
      parentConsensusTimestamp: record.parentConsensusTimestamp ? toTimestamp(record.parentConsensusTimestamp) : null,
      type: transaction.type,
      status: record.receipt?.status ?? 0,
      body: transaction.body,
      highVolume: transaction.highVolume,
      record,
      signatureMapBytes: transaction.signatureMapBytes,
      transactionBytes: raw.transaction,
      recordBytes: raw.record,
      sidecars: [],
    },
    problem,
  };
}

function decodeRecord(bytes: Buffer, index: number): proto.TransactionRecord {
  try {
    return proto.TransactionRecord.decode(bytes);
  } catch (error) {
    throw new StreamFileError('malformed', `record of item ${index}`, 'a TransactionRecord message', String(error));
  }
}

type DecodedTransaction = Pick<TransactionItem, 'type' | 'body' | 'highVolume' | 'signatureMapBytes'> & {
  problem: string | null;
};

function decodeTransaction(raw: RawItem, index: number): DecodedTransaction {
  try {
    const { bodyBytes, signatureMapBytes } = splitTransaction(raw.transaction);
    const body = proto.TransactionBody.decode(bodyBytes);
    const highVolume = readHighVolume(bodyBytes, raw.record);
    return { type: transactionType(bodyBytes), body, highVolume, signatureMapBytes, problem: null };
  } catch (error) {
    const problem = `transaction of item ${index} cannot be read: ${(error as Error).message}`;
    return { type: 0, body: proto.TransactionBody.create({}), signatureMapBytes: Buffer.alloc(0), problem };
  }
}
