// The body of tokens/{tokenId}. Supplies and decimals are text, amounts in fees integers.
import { Type } from '@sinclair/typebox';
import {
  base64,
  entityId,
  int64,
  integerText,
  key,
  nullable,
  oneOf,
  reference,
  seconds,
  timestamp,
} from './value-schemas.ts';

const fee = { all_collectors_are_exempt: Type.Boolean(), collector_account_id: nullable(entityId) };
const ratio = Type.Object({ numerator: int64, denominator: int64 });
const feeLists = { created_timestamp: timestamp, fixed_fees: Type.Array(reference('FixedFee')) };

export const tokenSchemas = {
  Token: Type.Object({
    admin_key: nullable(key),
    auto_renew_account: nullable(entityId),
    auto_renew_period: nullable(seconds),
    created_timestamp: timestamp,
    custom_fees: Type.Union([reference('FungibleTokenFees'), reference('NonFungibleTokenFees')]),
    decimals: integerText,
    deleted: nullable(Type.Boolean()),
    expiry_timestamp: nullable({ ...int64, description: 'Nanoseconds since 1970.' }),
    fee_schedule_key: nullable(key),
    freeze_default: Type.Boolean(),
    freeze_key: nullable(key),
    initial_supply: integerText,
    kyc_key: nullable(key),
    max_supply: integerText,
    memo: Type.String(),
    metadata: base64,
    metadata_key: nullable(key),
    modified_timestamp: timestamp,
    name: Type.String(),
    pause_key: nullable(key),
    pause_status: oneOf(['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED']),
    supply_key: nullable(key),
    supply_type: oneOf(['FINITE', 'INFINITE']),
    symbol: Type.String(),
    token_id: nullable(entityId),
    total_supply: integerText,
    treasury_account_id: nullable(entityId),
    type: oneOf(['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE']),
    wipe_key: nullable(key),
  }),
  FungibleTokenFees: Type.Object({ ...feeLists, fractional_fees: Type.Array(reference('FractionalFee')) }),
  NonFungibleTokenFees: Type.Object({ ...feeLists, royalty_fees: Type.Array(reference('RoyaltyFee')) }),
  FixedFee: Type.Object(
    { ...fee, amount: int64, denominating_token_id: nullable(entityId) },
    { description: 'In tinybar where no token denominates it.' },
  ),
  FractionalFee: Type.Object({
    ...fee,
    amount: ratio,
    denominating_token_id: nullable(entityId),
    maximum: nullable(int64),
    minimum: int64,
    net_of_transfers: Type.Boolean(),
  }),
  RoyaltyFee: Type.Object({
    ...fee,
    amount: ratio,
    fallback_fee: nullable(Type.Object({ amount: int64, denominating_token_id: nullable(entityId) })),
  }),
};
