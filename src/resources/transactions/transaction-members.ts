// A transaction as an item of lists (docs/reference/rest-behaviour.md, Transactions).
import { Type } from '@sinclair/typebox';
import { type EntityIdParts, formatEntityIdParts } from '../../../packages/protocol/hapi/entity-id.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import { type Kind, listOf } from '../../api/values/kind.ts';
import {
  base64,
  boolean,
  entityId,
  entityIds,
  int32,
  int64,
  integerText,
  key,
  timestamp,
} from '../../api/values/kinds.ts';
import { array, from, members, nullable, optional, part, value } from '../../api/values/members.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
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

const transferTable = {
  account: from('accountId', entityId),
  amount: value(int64, 'Negative where it leaves the account.'),
  is_approval: boolean,
};
const transfer = members(transferTable);
const tokenTransfer = members({ token_id: entityId, ...transferTable });
const nftTransfer = members({
  is_approval: boolean,
  receiver_account_id: entityId,
  sender_account_id: entityId,
  serial_number: int64,
  token_id: entityId,
});
const stakingReward = members({ account: from('accountId', entityId), amount: int64 });

/** As written in a transaction: of any size. */
const writtenId: Kind<EntityIdParts | null> = {
  schema: entityId.schema,
  write: (id) => (id === null ? 'null' : `"${formatEntityIdParts(id)}"`),
};

const feeLimit = members({ account_id: writtenId, amount: int64, denominating_token_id: writtenId });

const transactionTable = {
  batch_key: key,
  bytes: nullable(base64),
  charged_tx_fee: nullable(int64, 'Tinybar.'),
  consensus_timestamp: timestamp,
  entity_id: entityId,
  high_volume: boolean,
  high_volume_pricing_multiplier: nullable(int64),
  max_fee: nullable(integerText),
  max_custom_fees: array(feeLimit),
  memo_base64: from('memo', nullable(base64)),
  name: from('type', typeName),
  nft_transfers: array(nftTransfer),
  node: from('nodeAccountId', entityId),
  nonce: int32,
  parent_consensus_timestamp: nullable(timestamp),
  result: responseCode,
  scheduled: boolean,
  staking_reward_transfers: array(stakingReward),
  token_transfers: array(tokenTransfer),
  transaction_hash: nullable(base64),
  transaction_id: part(transactionId),
  transfers: array(transfer),
  valid_duration_seconds: nullable(integerText),
  valid_start_timestamp: from('validStart', timestamp),
};

const assessedFee = members({
  amount: int64,
  collector_account_id: entityId,
  token_id: value(entityId, 'null for hbar.'),
  effective_payer_account_ids: entityIds,
});

/** With the custom fees that were paid, if any. */
export const detailedTransactionKind = members(
  {
    assessed_custom_fees: optional(
      listOf(assessedFee),
      ({ assessedFees }: Pick<DetailedTransaction, 'assessedFees'>) =>
        assessedFees.length > 0 ? assessedFees : undefined,
    ),
    ...transactionTable,
  },
  { name: 'DetailedTransaction' },
);

export const transactionKind = members(transactionTable, { name: 'Transaction' });
