// A transaction as an item of lists (docs/reference/rest-behaviour.md, Transactions).
import { Type } from '@sinclair/typebox';
import type { DetailedTransaction } from '../../../ledger/transactions/create-named-transactions.ts';
import type {
  AssessedFee,
  LedgerTransaction,
  NftTransfer,
  TokenTransfer,
  Transfer,
} from '../../../ledger/transactions/transaction.ts';
import type { FeeLimit } from '../../../protocol/hapi/custom-fee-limit.ts';
import { type EntityIdParts, formatEntityIdParts } from '../../../protocol/hapi/entity-id.ts';
import { transactionTypeName } from '../../../protocol/hapi/transaction-types.ts';
import { type Kind, listOf } from '../../values/kind.ts';
import { base64, boolean, entityId, int32, int64, integerText, key, timestamp } from '../../values/kinds.ts';
import { array, members, nullable, optional, value } from '../../values/members.ts';
import { formatTransactionId } from '../../values/transaction-id-text.ts';
import { responseCode } from './response-code.ts';

export const typeName: Kind<number> = {
  schema: Type.String({ description: 'Transaction type; UNKNOWN where it has no name.', pattern: '^[A-Z]+$' }),
  write: (type) => `"${transactionTypeName(type)}"`,
};

export const transactionId: Kind<{ payerAccountId: bigint; validStart: bigint }> = {
  schema: Type.String({
    pattern: '^\\d{1,4}\\.\\d{1,5}\\.\\d{1,12}-\\d+-\\d{9}$',
    examples: ['0.0.1001-1586567700-453054000'],
  }),
  write: ({ payerAccountId, validStart }) => `"${formatTransactionId({ payerId: payerAccountId, validStart })}"`,
};

const negative = 'Negative where it leaves the account.';

const transfer = members<Transfer>({
  account: value(entityId, ({ accountId }) => accountId),
  amount: value(int64, ({ amount }) => amount, negative),
  is_approval: value(boolean, ({ isApproval }) => isApproval),
});

const tokenTransfer = members<TokenTransfer>({
  token_id: value(entityId, ({ tokenId }) => tokenId),
  account: value(entityId, ({ accountId }) => accountId),
  amount: value(int64, ({ amount }) => amount, negative),
  is_approval: value(boolean, ({ isApproval }) => isApproval),
});

const nftTransfer = members<NftTransfer>({
  is_approval: value(boolean, ({ isApproval }) => isApproval),
  receiver_account_id: value(entityId, ({ receiverAccountId }) => receiverAccountId),
  sender_account_id: value(entityId, ({ senderAccountId }) => senderAccountId),
  serial_number: value(int64, ({ serialNumber }) => serialNumber),
  token_id: value(entityId, ({ tokenId }) => tokenId),
});

const stakingReward = members<{ accountId: bigint; amount: bigint }>({
  account: value(entityId, ({ accountId }) => accountId),
  amount: value(int64, ({ amount }) => amount),
});

/** As it was written in a transaction: of any size. */
const writtenId: Kind<EntityIdParts | null> = {
  schema: entityId.schema,
  write: (id) => (id === null ? 'null' : `"${formatEntityIdParts(id)}"`),
};

const feeLimit = members<FeeLimit>({
  account_id: value(writtenId, ({ accountId }) => accountId),
  amount: value(int64, ({ amount }) => amount),
  denominating_token_id: value(writtenId, ({ denominatingTokenId }) => denominatingTokenId),
});

const transactionTable = {
  batch_key: value(key, (item: LedgerTransaction) => item.batchKey),
  bytes: nullable(base64, (item: LedgerTransaction) => item.bytes),
  charged_tx_fee: nullable(int64, (item: LedgerTransaction) => item.chargedTxFee, 'Tinybar.'),
  consensus_timestamp: value(timestamp, (item: LedgerTransaction) => item.consensusTimestamp),
  entity_id: value(entityId, (item: LedgerTransaction) => item.entityId),
  high_volume: value(boolean, (item: LedgerTransaction) => item.highVolume),
  high_volume_pricing_multiplier: nullable(int64, (item: LedgerTransaction) => item.highVolumePricingMultiplier),
  max_fee: nullable(integerText, (item: LedgerTransaction) => item.maxFee),
  max_custom_fees: array(feeLimit, (item: LedgerTransaction) => item.maxCustomFees),
  memo_base64: nullable(base64, (item: LedgerTransaction) => item.memo),
  name: value(typeName, (item: LedgerTransaction) => item.type),
  nft_transfers: array(nftTransfer, (item: LedgerTransaction) => item.nftTransfers),
  node: value(entityId, (item: LedgerTransaction) => item.nodeAccountId),
  nonce: value(int32, (item: LedgerTransaction) => item.nonce),
  parent_consensus_timestamp: nullable(timestamp, (item: LedgerTransaction) => item.parentConsensusTimestamp),
  result: value(responseCode, (item: LedgerTransaction) => item.result),
  scheduled: value(boolean, (item: LedgerTransaction) => item.scheduled),
  staking_reward_transfers: array(stakingReward, (item: LedgerTransaction) => item.stakingRewardTransfers),
  token_transfers: array(tokenTransfer, (item: LedgerTransaction) => item.tokenTransfers),
  transaction_hash: nullable(base64, (item: LedgerTransaction) => item.transactionHash),
  transaction_id: value(transactionId, (item: LedgerTransaction) => item),
  transfers: array(transfer, (item: LedgerTransaction) => item.transfers),
  valid_duration_seconds: nullable(integerText, (item: LedgerTransaction) => item.validDurationSeconds),
  valid_start_timestamp: value(timestamp, (item: LedgerTransaction) => item.validStart),
};

const assessedFee = members<AssessedFee>({
  amount: value(int64, ({ amount }) => amount),
  collector_account_id: value(entityId, ({ collectorAccountId }) => collectorAccountId),
  token_id: value(entityId, ({ tokenId }) => tokenId, 'null for hbar.'),
  effective_payer_account_ids: array(entityId, ({ effectivePayerAccountIds }) => effectivePayerAccountIds),
});

/** With the custom fees that were paid, where there were any. */
export const detailedTransactionKind = members<DetailedTransaction>(
  {
    assessed_custom_fees: optional(listOf(assessedFee), ({ assessedFees }) =>
      assessedFees.length > 0 ? assessedFees : undefined,
    ),
    ...transactionTable,
  },
  { name: 'DetailedTransaction' },
);

export const transactionKind = members<LedgerTransaction>(transactionTable, { name: 'Transaction' });
