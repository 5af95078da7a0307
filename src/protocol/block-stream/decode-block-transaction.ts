// A transaction of a block stream → transaction and result with decoded body and record, as `decodeTransactionItem` makes them of
// an item of a record file; the parts of the result go straight into the record.
import { proto, toBigInt } from '../hapi/hapi.ts';
import { createHapiReader } from '../hapi/hapi-reader.ts';
import type { TransactionBody } from '../hapi/transaction-body.ts';
import { type DecodedTransactionItem, storedStatus } from '../record-stream/decode-transaction-item.ts';
import { StreamFileError } from '../stream-file-error.ts';
import { findWireBytes, noBytes } from '../wire-fields.ts';
import type { BlockTransaction } from './block-transactions.ts';
import { receiptIdTypes } from './reconstruct-record.ts';
import { bodyOf, submittedBytes, transactionHash } from './signed-transaction.ts';

/** Throws StreamFileError if a part of the result cannot be read. */
export function decodeBlockTransaction(made: BlockTransaction, index: number): DecodedTransactionItem {
  const { transaction, result, record, functionResult, sidecars, ethereumNonce, executedHook } = made;
  const { body, type, problem } = bodyOf(transaction);
  const submitted = submittedBytes(transaction);
  record.transactionHash = transactionHash(transaction, submitted);
  try {
    completeRecord(made, body);
  } catch (error) {
    throw new StreamFileError('malformed', `record of item ${index}`, 'a TransactionRecord message', String(error));
  }
  const congestion = toBigInt(result.message.congestionPricingMultiplier);
  return {
    item: {
      index,
      consensusTimestamp: result.consensusTimestamp,
      parentConsensusTimestamp: result.parentTimestamp,
      type,
      status: storedStatus(result.message.status),
      body: body ?? { transactionID: record.transactionID },
      record,
      signatureMapBytes: (body && transaction.signatureMap) ?? noBytes,
      transactionBytes: submitted,
      recordBytes: null,
      functionResultBytes: functionResult?.bytes ?? noBytes,
      congestionPricingMultiplier: congestion === 0n ? null : congestion,
      ethereumNonce,
      executedHook,
      sidecars,
    },
    problem: problem && `transaction of item ${index} cannot be read: ${problem}`,
  };
}

/** Field of TransactionBody. */
const transactionIdField = 1;

/** Adds to the reconstructed parts what the block has in full. Throws what the decoders throw. */
function completeRecord(
  { transaction, result, record, receiptIds, functionResult }: BlockTransaction,
  body: TransactionBody | null,
): void {
  const { message, moment, parentMoment } = result;
  const { receipt } = record;
  receipt.status = message.status;
  for (const [name, bytes] of Object.entries(receiptIds) as [keyof typeof receiptIdTypes, Buffer][]) {
    receipt[name] = receiptIdTypes[name].decode(bytes);
  }
  record.consensusTimestamp = moment;
  record.parentConsensusTimestamp = parentMoment;
  if (body) {
    record.transactionID = body.transactionID;
    record.memo = body.memo;
  } else {
    const id = findWireBytes(transaction.bodyBytes, transactionIdField);
    if (id) record.transactionID = proto.TransactionID.decode(id);
  }
  record.transactionFee = message.transactionFeeCharged;
  if (functionResult) {
    const decoded = proto.ContractFunctionResult.decode(createHapiReader(functionResult.bytes));
    record[functionResult.isCreate ? 'contractCreateResult' : 'contractCallResult'] = decoded;
  }
  if (message.transferList.length > 0) record.transferList = decode(proto.TransferList, message.transferList);
  if (message.scheduleRef.length > 0) record.scheduleRef = decode(proto.ScheduleID, message.scheduleRef);
  record.tokenTransferLists = decodeAll(proto.TokenTransferList, message.tokenTransferLists);
  record.assessedCustomFees = decodeAll(proto.AssessedCustomFee, message.assessedCustomFees);
  record.automaticTokenAssociations = decodeAll(proto.TokenAssociation, message.automaticTokenAssociations);
  record.paidStakingRewards = decodeAll(proto.AccountAmount, message.paidStakingRewards);
  // 0 is none.
  const multiplier = message.highVolumePricingMultiplier;
  if (body?.highVolume && (multiplier.low | multiplier.high) !== 0) record.highVolumePricingMultiplier = multiplier;
}

type Decoder<Message> = { decode(reader: ReturnType<typeof createHapiReader>): Message };

function decode<Message>(type: Decoder<Message>, bytes: Buffer): Message {
  return type.decode(createHapiReader(bytes));
}

function decodeAll<Message>(type: Decoder<Message>, all: readonly Buffer[]): Message[] {
  const messages: Message[] = [];
  for (const bytes of all) messages.push(decode(type, bytes));
  return messages;
}
