// Rows of transactions and their transfers.

import type { JsonValue } from '../../postgres/wire/values.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { given, type Maker, type SetupRow } from './setup-row.ts';
import { type SystemIds, toBytes, toId, toJsonText } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

export const toCryptoTransfer: Maker = (item, system) => {
  const sender = item.senderAccountId ?? item.payerAccountId!;
  const recipient = item.recipientAccountId ?? item.nodeAccountId!;
  const amount = BigInt(String(item.amount ?? 2n));
  const transfers: JsonObject[] = [
    { account: sender, amount: -1n - amount, is_approval: false },
    { account: recipient, amount, is_approval: false },
    { account: item.treasuryAccountId ?? 98n, amount: 1n, is_approval: false },
  ];
  return toTransaction({ transfers, ...item, payerAccountId: item.payerAccountId ?? sender }, system);
};

export const toTransaction: Maker = (item, system) => {
  const consensus_timestamp = BigInt(String(item.consensus_timestamp));
  const payer_account_id = toId(item.payerAccountId, system);
  const charged = item.charged_tx_fee === undefined ? 7n : item.charged_tx_fee;
  const row = {
    batch_key: typeof item.batch_key === 'string' ? Buffer.from(item.batch_key, 'hex') : null,
    charged_tx_fee: charged,
    consensus_timestamp,
    entity_id: toId(item.entity_id, system),
    high_volume: item.high_volume ?? false,
    high_volume_pricing_multiplier: given(item.high_volume_pricing_multiplier, 1n),
    index: item.index ?? 1n,
    inner_transactions: toInnerTransactions(item.inner_transactions, system),
    max_custom_fees: ((item.max_custom_fees ?? []) as JsonObject[]).map((limit) => encodeCustomFeeLimit(limit, system)),
    max_fee: given(item.max_fee, 33n),
    nft_transfer: toJsonText(toNftTransfers(item.nft_transfer, system)),
    node_account_id: toId(item.nodeAccountId, system),
    nonce: item.nonce ?? 0n,
    parent_consensus_timestamp: item.parent_consensus_timestamp ?? null,
    payer_account_id,
    result: item.result ?? 22n,
    scheduled: item.scheduled ?? false,
    transaction_bytes: given(item.transaction_bytes, 'bytes'),
    transaction_hash:
      item.transaction_hash === undefined
        ? Buffer.from(Array.from({ length: 48 }, (_, i) => i + 1))
        : toBytes(item.transaction_hash),
    type: item.type ?? 14n,
    valid_duration_seconds: given(item.valid_duration_seconds, 11n),
    valid_start_ns: item.valid_start_timestamp ?? consensus_timestamp - 1n,
  };
  let transfers = (item.transfers ?? []) as JsonObject[];
  if (transfers.length === 0 && charged !== null && Number(charged) > 0 && payer_account_id !== null) {
    transfers = [
      { account: item.nodeAccountId ?? 3n, amount: 2n },
      { account: 98n, amount: 1n },
      { account: item.payerAccountId!, amount: -3n },
    ];
  }
  return [
    { table: 'transaction', row },
    ...toHashRows(row),
    ...transfers.map((transfer) => ({
      table: 'crypto_transfer',
      row: {
        amount: transfer.amount,
        consensus_timestamp,
        entity_id: toId(transfer.account, system),
        is_approval: transfer.is_approval ?? false,
        payer_account_id,
      },
    })),
    ...((item.token_transfer_list ?? []) as JsonObject[]).map((transfer) => ({
      table: 'token_transfer',
      row: {
        account_id: toId(transfer.account, system),
        amount: transfer.amount,
        consensus_timestamp,
        is_approval: transfer.is_approval ?? false,
        payer_account_id,
        token_id: toId(transfer.token_id, system),
      },
    })),
  ];
};

function toHashRows(row: {
  consensus_timestamp: bigint;
  payer_account_id: bigint | null;
  transaction_hash: Buffer | null;
}) {
  return row.transaction_hash
    ? [toTransactionHashRow(row.transaction_hash, row.consensus_timestamp, row.payer_account_id)]
    : [];
}

export const toTransactionHash: Maker = (item, system) => [
  toTransactionHashRow(
    toBytes(item.hash)!,
    BigInt(String(item.consensus_timestamp)),
    toId(item.payer_account_id, system),
  ),
];

/** The first 32 bytes and the rest are two columns. */
function toTransactionHashRow(hash: Buffer, consensus_timestamp: bigint, payer_account_id: bigint | null): SetupRow {
  return {
    table: 'transaction_hash',
    row: { consensus_timestamp, hash: hash.subarray(0, 32), hash_suffix: hash.subarray(32), payer_account_id },
  };
}

export const toAssessedCustomFee: Maker = (item, system) => [
  {
    table: 'assessed_custom_fee',
    row: {
      ...item,
      collector_account_id: toId(item.collector_account_id, system),
      effective_payer_account_ids: ((item.effective_payer_account_ids ?? []) as JsonValue[]).map((id) =>
        toId(id, system),
      ),
      payer_account_id: toId(item.payer_account_id ?? 300n, system),
      token_id: toId(item.token_id, system),
    },
  },
];

/** Pairs of payer and valid start. */
function toInnerTransactions(value: JsonValue | undefined, system: SystemIds): bigint[] | null {
  if (!Array.isArray(value)) return null;
  return value.map((part, i) => (i % 2 === 0 ? toId(part, system)! : BigInt(String(part))));
}

function toNftTransfers(value: JsonValue | undefined, system: SystemIds): JsonValue {
  if (!Array.isArray(value)) return null;
  return (value as JsonObject[]).map((transfer) => ({
    ...transfer,
    receiver_account_id: toId(transfer.receiver_account_id, system),
    sender_account_id: toId(transfer.sender_account_id, system),
    token_id: toId(transfer.token_id, system),
  }));
}

function encodeCustomFeeLimit(limit: JsonObject, system: SystemIds): Buffer {
  const account = (limit.accountId ?? null) as JsonObject | null;
  const fees = ((limit.fees ?? []) as JsonObject[]).map((fee) => {
    const token = fee.denominatingTokenId as JsonObject | undefined;
    const hasToken = token && Object.keys(token).length > 0;
    return {
      amount: Number(fee.amount),
      denominatingTokenId: hasToken ? { ...toParts(system), tokenNum: Number(token.tokenNum) } : null,
    };
  });
  const accountId = account && { ...toParts(system), accountNum: Number(account.accountNum) };
  return Buffer.from(proto.CustomFeeLimit.encode({ accountId, fees } as unknown as proto.ICustomFeeLimit).finish());
}

function toParts(system: SystemIds) {
  return { shardNum: Number(system.shard), realmNum: Number(system.realm) };
}
