// A token as an answer (docs/reference/rest-behaviour.md, Tokens), and as an item of lists. Supplies and decimals of
// the answer are text, amounts in fees integers.

import type { ReadingContext } from '../../api/reading/query/context.ts';
import { type Kind, listOf, oneOfKinds } from '../../api/values/kind.ts';
import {
  base64,
  boolean,
  entityId,
  int64,
  integerText,
  key,
  seconds,
  text,
  timestamp,
  word,
} from '../../api/values/kinds.ts';
import { members, nullable, part } from '../../api/values/members.ts';
import type { Token } from '../../ledger/tokens/create-tokens.ts';

const tokenType = word(['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE']);

const noBytes = Buffer.alloc(0);
const tokenMetadata: Kind<Uint8Array | null> = { ...base64, write: (bytes) => base64.write(bytes ?? noBytes) };

export const listedTokenKind = members(
  {
    admin_key: key,
    metadata: tokenMetadata,
    name: text,
    symbol: text,
    token_id: entityId,
    type: tokenType,
    decimals: int64,
  },
  { name: 'ListedToken' },
);

export function createTokenKind({ dialect }: ReadingContext): Kind<Token> {
  const fungibleFees = members({ ...feeLists, ...fractionalFees }, { name: 'FungibleTokenFees' });
  const nonFungibleFees = members(
    { ...feeLists, ...(dialect.fractionalFeesOfNfts ? fractionalFees : {}), ...royaltyFees },
    { name: 'NonFungibleTokenFees' },
  );
  const customFees = oneOfKinds([fungibleFees, nonFungibleFees], ({ customFees: fees, type }: Token) =>
    (type === 'NON_FUNGIBLE_UNIQUE' ? nonFungibleFees : fungibleFees).write(fees),
  );
  return members(
    {
      admin_key: key,
      auto_renew_account: entityId,
      auto_renew_period: nullable(seconds),
      created_timestamp: timestamp,
      custom_fees: part(customFees),
      decimals: integerText,
      deleted: nullable(boolean),
      expiry_timestamp: nullable(int64, 'Nanoseconds since 1970.'),
      fee_schedule_key: key,
      freeze_default: boolean,
      freeze_key: key,
      initial_supply: integerText,
      kyc_key: key,
      max_supply: integerText,
      memo: text,
      metadata: tokenMetadata,
      metadata_key: key,
      modified_timestamp: timestamp,
      name: text,
      pause_key: key,
      pause_status: word(['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED']),
      supply_key: key,
      supply_type: word(['FINITE', 'INFINITE']),
      symbol: text,
      token_id: entityId,
      total_supply: integerText,
      treasury_account_id: entityId,
      type: tokenType,
      wipe_key: key,
    },
    { name: 'Token' },
  );
}

const fixedFee = members(
  {
    all_collectors_are_exempt: boolean,
    amount: nullable(int64),
    collector_account_id: entityId,
    denominating_token_id: entityId,
  },
  { name: 'FixedFee', description: 'In tinybar where no token denominates it.' },
);

const fractionalFee = members(
  {
    all_collectors_are_exempt: boolean,
    amount: part(members({ numerator: int64, denominator: int64 })),
    collector_account_id: entityId,
    denominating_token_id: entityId,
    maximum: nullable(int64),
    minimum: int64,
    net_of_transfers: boolean,
  },
  { name: 'FractionalFee' },
);

const royaltyFee = members(
  {
    all_collectors_are_exempt: boolean,
    amount: part(members({ denominator: int64, numerator: int64 })),
    collector_account_id: entityId,
    fallback_fee: nullable(members({ amount: int64, denominating_token_id: entityId })),
  },
  { name: 'RoyaltyFee' },
);

const feeLists = { created_timestamp: timestamp, fixed_fees: listOf(fixedFee) };
const fractionalFees = { fractional_fees: listOf(fractionalFee) };
const royaltyFees = { royalty_fees: listOf(royaltyFee) };
