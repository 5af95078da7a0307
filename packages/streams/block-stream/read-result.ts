// The TransactionResult of a block: its parts go straight into the record that later steps read.
import type Long from 'long';
import type protobuf from 'protobufjs/minimal.js';
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { createHapiReader, decodeNested } from '../../protocol/hapi/hapi-reader.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import type { TransactionRecord } from '../../protocol/hapi/transaction-body.ts';
import { assertFieldCount } from './assert-field-count.ts';
import { blockMessages } from './block-messages.ts';

/** `receipt` has the status; what else it has in a record file is in other items. */
export type BlockRecord = TransactionRecord & { receipt: NonNullable<TransactionRecord['receipt']> };

export type BlockResult = {
  /** The whole message. */
  content: Buffer;
  status: number;
  /** ns. */
  consensusTimestamp: bigint;
  parentTimestamp: bigint | null;
  record: BlockRecord;
  /** Thousandths; null if the block does not have it. */
  congestionPricingMultiplier: bigint | null;
  /** Thousandths of the usual fee; null if the block does not have it. */
  highVolumePricingMultiplier: Long | null;
  /** A list of transfers, fees or the like that cannot be decoded. */
  failure: unknown;
};

/**
 * Throws StreamFileError for a result without readable status and times; what else cannot be decoded is its `failure`.
 */
export function readResult(content: Buffer): BlockResult {
  assertFieldCount(content, 'transaction result');
  try {
    return decodeResult(content);
  } catch (failure) {
    const { status, consensusTimestamp, parentConsensusTimestamp } = blockMessages.transactionResult.decode(content);
    const result = createResult(content);
    result.record.consensusTimestamp = decodeMessage(proto.Timestamp, consensusTimestamp);
    if (parentConsensusTimestamp.length > 0)
      result.record.parentConsensusTimestamp = decodeMessage(proto.Timestamp, parentConsensusTimestamp);
    return complete({ ...result, status, failure });
  }
}

function createResult(content: Buffer): BlockResult {
  const record: TransactionRecord = new proto.TransactionRecord();
  record.receipt = new proto.TransactionReceipt();
  return {
    content,
    status: 0,
    consensusTimestamp: 0n,
    parentTimestamp: null,
    record: record as BlockRecord,
    congestionPricingMultiplier: null,
    highVolumePricingMultiplier: null,
    failure: null,
  };
}

function complete(result: BlockResult): BlockResult {
  const { record, status } = result;
  record.receipt.status = status;
  record.consensusTimestamp ??= new proto.Timestamp();
  result.consensusTimestamp = toTimestamp(record.consensusTimestamp);
  if (record.parentConsensusTimestamp) result.parentTimestamp = toTimestamp(record.parentConsensusTimestamp);
  return result;
}

/** Of TransactionResult; fields of other versions are passed over. */
const readFields: ReadonlySet<number> = new Set([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13]);

function decodeResult(content: Buffer): BlockResult {
  const result = createResult(content);
  const { record } = result;
  const reader = createHapiReader(content);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    // Tags of the fields: eight times the number, and 2 for a message.
    switch (tag) {
      case 8:
        result.status = reader.int32();
        break;
      case 18:
        record.consensusTimestamp = decodeNested(reader, proto.Timestamp);
        break;
      case 26:
        record.parentConsensusTimestamp = decodeNonEmpty(reader, proto.Timestamp);
        break;
      case 42:
        record.scheduleRef = decodeNonEmpty(reader, proto.ScheduleID);
        break;
      case 48:
        record.transactionFee = readLong(reader);
        break;
      case 58:
        record.transferList = decodeNonEmpty(reader, proto.TransferList);
        break;
      case 66:
        record.tokenTransferLists!.push(decodeNested(reader, proto.TokenTransferList));
        break;
      case 74:
        record.automaticTokenAssociations!.push(decodeNested(reader, proto.TokenAssociation));
        break;
      case 82:
        record.paidStakingRewards!.push(decodeNested(reader, proto.AccountAmount));
        break;
      case 88:
        result.congestionPricingMultiplier = toBigInt(readLong(reader)) || null;
        break;
      case 98:
        record.assessedCustomFees!.push(decodeNested(reader, proto.AssessedCustomFee));
        break;
      case 104:
        result.highVolumePricingMultiplier = toNonZero(readLong(reader));
        break;
      default:
        if (readFields.has(tag >>> 3)) throw new RangeError(`invalid wire type ${tag & 7} of field ${tag >>> 3}`);
        reader.skipType(tag & 7);
    }
  }
  return complete(result);
}

/** null for a message without bytes: nodes write it where a record file has none. */
function decodeNonEmpty<Message>(
  reader: protobuf.Reader,
  type: Parameters<typeof decodeNested<Message>>[1],
): Message | null {
  if (reader.buf[reader.pos] !== 0) return decodeNested(reader, type);
  reader.pos += 1;
  return null;
}

/** The type of protobufjs has the members only. */
function readLong(reader: protobuf.Reader): Long {
  return reader.uint64() as unknown as Long;
}

function toNonZero(value: Long): Long | null {
  return (value.low | value.high) === 0 ? null : value;
}
