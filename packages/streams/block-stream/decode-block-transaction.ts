// A transaction of a block stream → transaction and result with decoded body and record, as `decodeTransactionItem`
// makes them of an item of a record file.
import { proto } from '../../protocol/hapi/hapi.ts';
import { createHapiReader } from '../../protocol/hapi/hapi-reader.ts';
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import { type DecodedTransactionItem, storedStatus } from '../record-stream/decode-transaction-item.ts';
import type { BlockTransaction } from './block-transactions.ts';
import type { BlockRecord } from './read-result.ts';
import { type ReceiptIds, receiptIdTypes } from './reconstruct-record.ts';
import { bodyOf, submittedBytes, transactionHash } from './signed-transaction.ts';

/** Throws StreamFileError if a part of the result cannot be read. */
export function decodeBlockTransaction(made: BlockTransaction, index: number): DecodedTransactionItem {
  const { transaction, result, functionResult, sidecars, ethereumNonce, executedHook } = made;
  const { record } = result;
  const { body, type, problem } = bodyOf(transaction);
  const submitted = submittedBytes(transaction);
  record.transactionHash = transactionHash(transaction, submitted);
  try {
    completeRecord(made, body);
  } catch (error) {
    throw new StreamFileError('malformed', `record of item ${index}`, 'a TransactionRecord message', String(error));
  }
  return {
    item: {
      index,
      consensusTimestamp: result.consensusTimestamp,
      parentConsensusTimestamp: result.parentTimestamp,
      type,
      status: storedStatus(result.status),
      body: body ?? { transactionID: record.transactionID },
      record,
      signatureMapBytes: (body && transaction.signatureMap) ?? noBytes,
      transactionBytes: submitted,
      recordBytes: null,
      functionResultBytes: functionResult?.bytes ?? noBytes,
      congestionPricingMultiplier: result.congestionPricingMultiplier,
      ethereumNonce,
      executedHook,
      sidecars,
    },
    problem: problem && `transaction of item ${index} cannot be read: ${problem}`,
  };
}

/** Field of TransactionBody. */
const transactionIdField = 1;

/** Adds what is not in the result. Throws what decoders throw. */
function completeRecord(
  { transaction, result, receiptIds, functionResult }: BlockTransaction,
  body: TransactionBody | null,
): void {
  const { record, failure, highVolumePricingMultiplier } = result;
  if (failure) throw failure;
  if (receiptIds) decodeReceiptIds(record, receiptIds);
  if (body) {
    record.transactionID = body.transactionID;
    record.memo = body.memo;
  } else {
    const id = findWireBytes(transaction.bodyBytes, transactionIdField);
    if (id) record.transactionID = proto.TransactionID.decode(id);
  }
  if (functionResult) {
    const decoded = proto.ContractFunctionResult.decode(createHapiReader(functionResult.bytes));
    record[functionResult.isCreate ? 'contractCreateResult' : 'contractCallResult'] = decoded;
  }
  if (body?.highVolume && highVolumePricingMultiplier) record.highVolumePricingMultiplier = highVolumePricingMultiplier;
}

function decodeReceiptIds({ receipt }: BlockRecord, ids: ReceiptIds): void {
  for (const name of Object.keys(ids) as (keyof ReceiptIds)[]) receipt[name] = receiptIdTypes[name].decode(ids[name]!);
}
