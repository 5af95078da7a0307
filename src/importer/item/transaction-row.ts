// The `transaction` row of every item, whatever its type and status, and the rows by which its hash is found.

import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { toEntityIdOrNone } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockItem } from '../block/block-item.ts';
import { isScheduled } from '../block/block-items.ts';

/** Columns that only some operators need; default off. */
export type TransactionRowOptions = {
  /** Keep the whole signed transaction. */
  transactionBytes?: boolean;
  /** Keep the whole record. */
  transactionRecordBytes?: boolean;
  /** Keep the body's own transfer list beside the record's. */
  itemizedTransfers?: boolean;
};

/** Parts of the row that other parts of the import compute. */
export type TransactionRowParts = {
  nftTransfers: JsonValue[];
  itemizedTransfers: JsonValue[] | null;
  innerTransactions: bigint[] | null;
};

export function transactionRow(
  item: BlockItem,
  parts: TransactionRowParts,
  options: TransactionRowOptions,
): Row<'transaction'> {
  const { body, record } = item;
  const id = body.transactionID;
  const keepsBytes = nodeTypes.has(item.type);
  const maxCustomFees = body.maxCustomFees ?? [];
  const validDuration = body.transactionValidDuration;
  return {
    batch_key: body.batchKey ? proto.Key.encode(body.batchKey).finish() : null,
    charged_tx_fee: toBigInt(record.transactionFee),
    congestion_pricing_multiplier: item.congestionPricingMultiplier ?? null,
    consensus_timestamp: item.consensusTimestamp,
    entity_id: item.entityId === 0n ? null : item.entityId,
    high_volume: body.highVolume === true,
    high_volume_pricing_multiplier: highVolumeMultiplier(item),
    index: item.index,
    initial_balance: toBigInt(body.cryptoCreateAccount?.initialBalance ?? body.contractCreateInstance?.initialBalance),
    inner_transactions: parts.innerTransactions,
    itemized_transfer: parts.itemizedTransfers,
    max_custom_fees:
      maxCustomFees.length > 0 ? maxCustomFees.map((limit) => proto.CustomFeeLimit.encode(limit).finish()) : null,
    max_fee: toBigInt(body.transactionFee),
    memo: body.memo ? Buffer.from(body.memo) : emptyBytes,
    nft_transfer: parts.nftTransfers.length > 0 ? parts.nftTransfers : null,
    node_account_id: toEntityIdOrNone(body.nodeAccountID) || null,
    nonce: id?.nonce ?? 0,
    parent_consensus_timestamp: item.parentConsensusTimestamp,
    payer_account_id: item.payerAccountId,
    result: item.status,
    scheduled: isScheduled(item),
    transaction_bytes: options.transactionBytes || keepsBytes ? item.transactionBytes : null,
    transaction_hash: record.transactionHash ?? null,
    transaction_record_bytes: options.transactionRecordBytes || keepsBytes ? item.recordBytes : null,
    type: item.type === 0 ? unknownType : item.type,
    valid_duration_seconds: validDuration ? toBigInt(validDuration.seconds) : null,
    valid_start_ns: id?.transactionValidStart ? toTimestamp(id.transactionValidStart) : 0n,
  };
}

/**
 * null without a hash, and for topic messages: there are so many that they would make the table useless for the others.
 */
export function transactionHashRow(item: BlockItem): Row<'transaction_hash'> | null {
  const hash = item.record.transactionHash;
  if (!hash || hash.length === 0 || (item.type === typeNumber.consensusSubmitMessage && item.evmIndex === null))
    return null;
  return {
    consensus_timestamp: item.consensusTimestamp,
    hash: hash.subarray(0, 32),
    hash_suffix: hash.length > 32 ? hash.subarray(32) : null,
    payer_account_id: item.payerAccountId,
  };
}

/** null if the lane was not requested, or the record does not have its price. */
function highVolumeMultiplier({ body, record }: BlockItem): bigint | null {
  return body.highVolume && record.highVolumePricingMultiplier ? toBigInt(record.highVolumePricingMultiplier) : null;
}

/** A body without any known or unknown data. */
const unknownType = -1;
/** The bodies of node create, update and delete are stored whole. */
const nodeTypes: ReadonlySet<number> = new Set([typeNumber.nodeCreate, typeNumber.nodeUpdate, typeNumber.nodeDelete]);
const emptyBytes = new Uint8Array(0);
