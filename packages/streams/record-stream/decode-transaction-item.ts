// One raw item of a record file → transaction and result with decoded body and record. An unreadable item affects only
// itself: the reader of the file decides, and an unreadable body still leaves a transaction with its result.

import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import {
  decodeTransactionBody,
  decodeTransactionRecord,
  type TransactionBody,
  type TransactionRecord,
} from '../../protocol/hapi/transaction-body.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import type { TransactionItem } from '../stream/stream-block.ts';
import type { RawItem } from './raw-record-file.ts';
import { splitTransaction } from './split-transaction.ts';

/**
 * `problem` says what could not be read of the transaction. Its item then has the body without the part that gives its
 * type, or, if the body cannot be found at all, a body of type 0 with the transaction id of the record.
 */
export type DecodedTransactionItem = { item: TransactionItem; problem: string | null };

/** Throws StreamFileError if the record cannot be read or has no consensus timestamp. `sidecars` is left empty. */
export function decodeTransactionItem(raw: RawItem, index: number): DecodedTransactionItem {
  const transaction = decodeTransaction(raw, index);
  const record = decodeRecord(raw.record, transaction.body ?? {}, index);
  if (!record.consensusTimestamp) {
    throw new StreamFileError('malformed', `record of item ${index}`, 'a consensus timestamp', 'none');
  }
  return {
    item: {
      index,
      consensusTimestamp: toTimestamp(record.consensusTimestamp),
      parentConsensusTimestamp: record.parentConsensusTimestamp ? toTimestamp(record.parentConsensusTimestamp) : null,
      type: transaction.type,
      status: storedStatus(record.receipt?.status ?? 0),
      body: transaction.body ?? { transactionID: record.transactionID },
      record,
      signatureMapBytes: transaction.signatureMapBytes,
      transactionBytes: raw.transaction,
      recordBytes: raw.record,
      functionResultBytes: functionResultBytes(raw.record, record),
      sidecars: [],
    },
    problem: transaction.problem,
  };
}

/** No code exceeds 16 bits, the size of the column; a greater one is unknown. */
export function storedStatus(status: number): number {
  return status === (status << 16) >> 16 ? status : responseCode.UNKNOWN;
}

/** Fields of TransactionRecord. */
const contractCallResult = 7;
const contractCreateResult = 8;

/** Byte for byte, including unknown fields. */
function functionResultBytes(recordBytes: Buffer, record: TransactionRecord): Buffer {
  const wanted = record.contractCreateResult ? contractCreateResult : contractCallResult;
  if (!record.contractCreateResult && !record.contractCallResult) return noBytes;
  return findWireBytes(recordBytes, wanted) ?? noBytes;
}

function decodeRecord(bytes: Buffer, body: TransactionBody, index: number): TransactionRecord {
  try {
    return decodeTransactionRecord(bytes, body);
  } catch (error) {
    throw new StreamFileError('malformed', `record of item ${index}`, 'a TransactionRecord message', String(error));
  }
}

type DecodedTransaction = Pick<TransactionItem, 'type' | 'signatureMapBytes'> & {
  body: TransactionBody | null;
  problem: string | null;
};

function decodeTransaction(raw: RawItem, index: number): DecodedTransaction {
  const problemOf = (problem: string) => `transaction of item ${index} cannot be read: ${problem}`;
  try {
    const { bodyBytes, signatureMapBytes } = splitTransaction(raw.transaction);
    const { body, type, problem } = decodeTransactionBody(bodyBytes);
    return { body, type, signatureMapBytes, problem: problem && problemOf(problem) };
  } catch (error) {
    return { type: 0, body: null, signatureMapBytes: noBytes, problem: problemOf((error as Error).message) };
  }
}
