// The body of accounts/{idOrAliasOrEvmAddress} with its page of transactions.
import { Type } from '@sinclair/typebox';
import {
  base64,
  entityId,
  evmAddress,
  hex,
  int32,
  int64,
  integerText,
  key,
  links,
  nullable,
  reference,
  responseCode,
  seconds,
  timestamp,
} from './value-schemas.ts';

/** `delegationAddress` as in the settings. */
export function createAccountSchemas({ delegationAddress }: { delegationAddress: boolean }) {
  return {
    Account: Type.Object({
      account: nullable(entityId),
      alias: nullable(
        Type.String({ pattern: '^[A-Z2-7]*$', description: 'Base32 without padding (RFC 4648).', examples: ['AEBA'] }),
      ),
      auto_renew_period: nullable(seconds),
      balance: Type.Object(
        {
          balance: nullable(int64),
          timestamp: nullable(timestamp),
          tokens: Type.Array(Type.Object({ token_id: nullable(entityId), balance: int64 })),
        },
        { description: 'Tinybar, and smallest units of the tokens.' },
      ),
      created_timestamp: nullable(timestamp),
      decline_reward: Type.Boolean(),
      ...(delegationAddress ? { delegation_address: { ...hex, description: delegationText } } : {}),
      deleted: nullable(Type.Boolean()),
      ethereum_nonce: nullable(int64),
      evm_address: nullable(evmAddress),
      expiry_timestamp: nullable(timestamp),
      key: nullable(key),
      max_automatic_token_associations: nullable({ ...int32, description: '-1 for any number.' }),
      memo: Type.String(),
      pending_reward: { ...int64, description: 'Tinybar.' },
      receiver_sig_required: nullable(Type.Boolean()),
      staked_account_id: nullable(entityId),
      staked_node_id: nullable(int64),
      stake_period_start: nullable(timestamp),
      transactions: Type.Array(reference('Transaction')),
      links,
    }),
    Transaction: transactionSchema,
  };
}

const delegationText = 'Address of the code that the account has delegated to; `0x` for none.';
const amount = { ...int64, description: 'Negative where it leaves the account.' };

const transactionSchema = Type.Object({
  batch_key: nullable(key),
  bytes: nullable(base64),
  charged_tx_fee: nullable({ ...int64, description: 'Tinybar.' }),
  consensus_timestamp: timestamp,
  entity_id: nullable(entityId),
  high_volume: Type.Boolean(),
  high_volume_pricing_multiplier: nullable(int64),
  max_fee: nullable(integerText),
  max_custom_fees: Type.Array(
    Type.Object({
      account_id: nullable(entityId),
      amount: int64,
      denominating_token_id: nullable(entityId),
    }),
  ),
  memo_base64: nullable(base64),
  name: Type.String({ description: 'Transaction type; UNKNOWN where it has no name.', pattern: '^[A-Z]+$' }),
  nft_transfers: Type.Array(
    Type.Object({
      is_approval: Type.Boolean(),
      receiver_account_id: nullable(entityId),
      sender_account_id: nullable(entityId),
      serial_number: int64,
      token_id: nullable(entityId),
    }),
  ),
  node: nullable(entityId),
  nonce: int32,
  parent_consensus_timestamp: nullable(timestamp),
  result: responseCode,
  scheduled: Type.Boolean(),
  staking_reward_transfers: Type.Array(Type.Object({ account: nullable(entityId), amount: int64 })),
  token_transfers: Type.Array(
    Type.Object({ token_id: nullable(entityId), account: nullable(entityId), amount, is_approval: Type.Boolean() }),
  ),
  transaction_hash: nullable(base64),
  transaction_id: Type.String({
    pattern: '^\\d{1,4}\\.\\d{1,5}\\.\\d{1,12}-\\d+-\\d{9}$',
    examples: ['0.0.1001-1586567700-453054000'],
  }),
  transfers: Type.Array(Type.Object({ account: nullable(entityId), amount, is_approval: Type.Boolean() })),
  valid_duration_seconds: nullable(integerText),
  valid_start_timestamp: timestamp,
});
