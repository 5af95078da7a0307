// A transaction as an item of an account's page (reference: rest §2.2).
import type { LedgerTransaction, NftTransfer, TokenTransfer, Transfer } from '../../ledger/accounts/account.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { responseCodeName } from '../../protocol/hapi/response-codes.ts';
import { transactionTypeName } from '../../protocol/hapi/transaction-types.ts';
import { toJsonArray, toJsonBase64, toJsonEntityId, toJsonInteger, toJsonTimestamp } from '../values/json-text.ts';
import { toJsonKey } from '../values/key-text.ts';

export function formatTransaction(item: LedgerTransaction): string {
  return `{"batch_key":${toJsonKey(item.batchKey)},"bytes":${toJsonBase64(item.bytes)},"charged_tx_fee":${toJsonInteger(item.chargedTxFee)},"consensus_timestamp":${toJsonTimestamp(item.consensusTimestamp)},"entity_id":${toJsonEntityId(item.entityId)},"high_volume":${item.highVolume},"high_volume_pricing_multiplier":${toJsonInteger(item.highVolumePricingMultiplier)},"max_fee":${toQuotedInteger(item.maxFee)},"max_custom_fees":${formatMaxCustomFees(item.maxCustomFees)},"memo_base64":${toJsonBase64(item.memo)},"name":"${transactionTypeName(item.type)}","nft_transfers":${toJsonArray(item.nftTransfers, formatNftTransfer)},"node":${toJsonEntityId(item.nodeAccountId)},"nonce":${item.nonce},"parent_consensus_timestamp":${toJsonTimestamp(item.parentConsensusTimestamp)},"result":"${responseCodeName(item.result)}","scheduled":${item.scheduled},"staking_reward_transfers":${toJsonArray(item.stakingRewardTransfers, formatStakingReward)},"token_transfers":${toJsonArray(item.tokenTransfers, formatTokenTransfer)},"transaction_hash":${toJsonBase64(item.transactionHash)},"transaction_id":"${formatTransactionId(item)}","transfers":${toJsonArray(item.transfers, formatTransfer)},"valid_duration_seconds":${toQuotedInteger(item.validDurationSeconds)},"valid_start_timestamp":${toJsonTimestamp(item.validStart)}}`;
}

function toQuotedInteger(value: bigint | null): string {
  return value === null ? 'null' : `"${value}"`;
}

function formatTransactionId({ payerAccountId, validStart }: LedgerTransaction): string {
  const digits = validStart.toString().padStart(10, '0');
  return `${formatEntityId(payerAccountId)}-${digits.slice(0, -9)}-${digits.slice(-9)}`;
}

function formatTransfer({ accountId, amount, isApproval }: Transfer): string {
  return `{"account":${toJsonEntityId(accountId)},"amount":${amount},"is_approval":${isApproval}}`;
}

function formatTokenTransfer({ tokenId, accountId, amount, isApproval }: TokenTransfer): string {
  return `{"token_id":${toJsonEntityId(tokenId)},"account":${toJsonEntityId(accountId)},"amount":${amount},"is_approval":${isApproval}}`;
}

function formatNftTransfer(transfer: NftTransfer): string {
  return `{"is_approval":${transfer.isApproval},"receiver_account_id":${toJsonEntityId(transfer.receiverAccountId)},"sender_account_id":${toJsonEntityId(transfer.senderAccountId)},"serial_number":${transfer.serialNumber},"token_id":${toJsonEntityId(transfer.tokenId)}}`;
}

function formatStakingReward({ accountId, amount }: { accountId: bigint; amount: bigint }): string {
  return `{"account":${toJsonEntityId(accountId)},"amount":${amount}}`;
}

/** One item a fee: a limit of two fees is two items of the same account. */
function formatMaxCustomFees(limits: readonly Buffer[]): string {
  if (limits.length === 0) return '[]';
  const items: string[] = [];
  for (const bytes of limits) {
    const { accountId, fees } = proto.CustomFeeLimit.decode(bytes);
    const account = accountId?.accountNum ? `"${formatHapiId(accountId, accountId.accountNum)}"` : 'null';
    for (const fee of fees ?? []) {
      const token = fee.denominatingTokenId;
      // A token id that is there but empty is printed as 0.0.0; only an absent one means HBAR.
      const denomination = token ? `"${formatHapiId(token, token.tokenNum)}"` : 'null';
      items.push(`{"account_id":${account},"amount":${toBigInt(fee.amount)},"denominating_token_id":${denomination}}`);
    }
  }
  return `[${items.join(',')}]`;
}

type HapiInteger = Parameters<typeof toBigInt>[0];

function formatHapiId(id: { shardNum?: HapiInteger; realmNum?: HapiInteger }, num: HapiInteger): string {
  return `${toBigInt(id.shardNum)}.${toBigInt(id.realmNum)}.${toBigInt(num)}`;
}
