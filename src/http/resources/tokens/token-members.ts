// A token as an answer (docs/reference/rest-behaviour.md, Tokens). Supplies and decimals are text, amounts in fees
// integers.
import type { CustomFees, FixedFee, FractionalFee, RoyaltyFee, Token } from '../../../ledger/tokens/token.ts';
import type { ReadingContext } from '../../reading/query/context.ts';
import { type Kind, oneOfKinds } from '../../values/kind.ts';
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
} from '../../values/kinds.ts';
import { array, type Member, members, nullable, value } from '../../values/members.ts';

export function createTokenKind({ dialect }: ReadingContext): Kind<Token> {
  const fungibleFees = members<CustomFees>({ ...feeLists, ...fractionalFees }, { name: 'FungibleTokenFees' });
  const nonFungibleFees = members<CustomFees>(
    { ...feeLists, ...(dialect.fractionalFeesOfNfts ? fractionalFees : {}), ...royaltyFees },
    { name: 'NonFungibleTokenFees' },
  );
  const customFees = oneOfKinds([fungibleFees, nonFungibleFees], ({ customFees: fees, type }: Token) =>
    (type === 'NON_FUNGIBLE_UNIQUE' ? nonFungibleFees : fungibleFees).write(fees),
  );
  return members<Token>(
    {
      admin_key: value(key, (token) => token.adminKey),
      auto_renew_account: value(entityId, (token) => token.autoRenewAccountId),
      auto_renew_period: nullable(seconds, (token) => token.autoRenewPeriod),
      created_timestamp: value(timestamp, (token) => token.createdTimestamp),
      custom_fees: value(customFees, (token) => token),
      decimals: value(integerText, (token) => token.decimals),
      deleted: nullable(boolean, (token) => token.deleted),
      expiry_timestamp: nullable(int64, (token) => token.expiryTimestamp, 'Nanoseconds since 1970.'),
      fee_schedule_key: value(key, (token) => token.feeScheduleKey),
      freeze_default: value(boolean, (token) => token.freezeDefault),
      freeze_key: value(key, (token) => token.freezeKey),
      initial_supply: value(integerText, (token) => token.initialSupply),
      kyc_key: value(key, (token) => token.kycKey),
      max_supply: value(integerText, (token) => token.maxSupply),
      memo: value(text, (token) => token.memo),
      metadata: value(base64, (token) => token.metadata ?? noBytes),
      metadata_key: value(key, (token) => token.metadataKey),
      modified_timestamp: value(timestamp, (token) => token.modifiedTimestamp),
      name: value(text, (token) => token.name),
      pause_key: value(key, (token) => token.pauseKey),
      pause_status: value(word(['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED']), (token) => token.pauseStatus),
      supply_key: value(key, (token) => token.supplyKey),
      supply_type: value(word(['FINITE', 'INFINITE']), (token) => token.supplyType),
      symbol: value(text, (token) => token.symbol),
      token_id: value(entityId, (token) => token.tokenId),
      total_supply: value(integerText, (token) => token.totalSupply),
      treasury_account_id: value(entityId, (token) => token.treasuryAccountId),
      type: value(word(['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE']), (token) => token.type),
      wipe_key: value(key, (token) => token.wipeKey),
    },
    { name: 'Token' },
  );
}

const noBytes = Buffer.alloc(0);

type Ratio = { numerator: bigint; denominator: bigint };

const fixedFee = members<FixedFee>(
  {
    all_collectors_are_exempt: value(boolean, (fee) => fee.allCollectorsAreExempt),
    amount: nullable(int64, (fee) => fee.amount),
    collector_account_id: value(entityId, (fee) => fee.collectorAccountId),
    denominating_token_id: value(entityId, (fee) => fee.denominatingTokenId),
  },
  { name: 'FixedFee', description: 'In tinybar where no token denominates it.' },
);

const fractionalFee = members<FractionalFee>(
  {
    all_collectors_are_exempt: value(boolean, (fee) => fee.allCollectorsAreExempt),
    amount: value(
      members<Ratio>({
        numerator: value(int64, (ratio) => ratio.numerator),
        denominator: value(int64, (ratio) => ratio.denominator),
      }),
      (fee) => fee,
    ),
    collector_account_id: value(entityId, (fee) => fee.collectorAccountId),
    denominating_token_id: value(entityId, (fee) => fee.denominatingTokenId),
    maximum: nullable(int64, (fee) => fee.maximumAmount),
    minimum: value(int64, (fee) => fee.minimumAmount),
    net_of_transfers: value(boolean, (fee) => fee.netOfTransfers),
  },
  { name: 'FractionalFee' },
);

const royaltyFee = members<RoyaltyFee>(
  {
    all_collectors_are_exempt: value(boolean, (fee) => fee.allCollectorsAreExempt),
    amount: value(
      members<Ratio>({
        denominator: value(int64, (ratio) => ratio.denominator),
        numerator: value(int64, (ratio) => ratio.numerator),
      }),
      (fee) => fee,
    ),
    collector_account_id: value(entityId, (fee) => fee.collectorAccountId),
    fallback_fee: nullable(
      members<NonNullable<RoyaltyFee['fallbackFee']>>({
        amount: value(int64, (fee) => fee.amount),
        denominating_token_id: value(entityId, (fee) => fee.denominatingTokenId),
      }),
      (fee) => fee.fallbackFee,
    ),
  },
  { name: 'RoyaltyFee' },
);

const feeLists: Record<string, Member<CustomFees>> = {
  created_timestamp: value(timestamp, (fees) => fees.createdTimestamp),
  fixed_fees: array(fixedFee, (fees) => fees.fixedFees),
};
const fractionalFees: Record<string, Member<CustomFees>> = {
  fractional_fees: array(fractionalFee, (fees) => fees.fractionalFees),
};
const royaltyFees: Record<string, Member<CustomFees>> = {
  royalty_fees: array(royaltyFee, (fees) => fees.royaltyFees),
};
