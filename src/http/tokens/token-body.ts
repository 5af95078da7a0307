// A token as the answer of tokens/{id}, member by member in the API's order (reference: rest §1).
import type { FixedFee, FractionalFee, RoyaltyFee, Token } from '../../ledger/tokens/token.ts';
import {
  toJsonArray,
  toJsonBase64,
  toJsonBoolean,
  toJsonEntityId,
  toJsonInteger,
  toJsonString,
  toJsonTimestamp,
} from '../values/json-text.ts';
import { toJsonKey } from '../values/key-text.ts';

export function formatTokenBody(token: Token): string {
  return `{"admin_key":${toJsonKey(token.adminKey)},"auto_renew_account":${toJsonEntityId(token.autoRenewAccountId)},"auto_renew_period":${toJsonInteger(token.autoRenewPeriod)},"created_timestamp":${toJsonTimestamp(token.createdTimestamp)},"custom_fees":${formatCustomFees(token)},"decimals":"${token.decimals}","deleted":${toJsonBoolean(token.deleted)},"expiry_timestamp":${toJsonInteger(token.expiryTimestamp)},"fee_schedule_key":${toJsonKey(token.feeScheduleKey)},"freeze_default":${token.freezeDefault},"freeze_key":${toJsonKey(token.freezeKey)},"initial_supply":"${token.initialSupply}","kyc_key":${toJsonKey(token.kycKey)},"max_supply":"${token.maxSupply}","memo":${toJsonString(token.memo)},"metadata":${token.metadata === null ? '""' : toJsonBase64(token.metadata)},"metadata_key":${toJsonKey(token.metadataKey)},"modified_timestamp":${toJsonTimestamp(token.modifiedTimestamp)},"name":${toJsonString(token.name)},"pause_key":${toJsonKey(token.pauseKey)},"pause_status":"${token.pauseStatus}","supply_key":${toJsonKey(token.supplyKey)},"supply_type":"${token.supplyType}","symbol":${toJsonString(token.symbol)},"token_id":${toJsonEntityId(token.tokenId)},"total_supply":"${token.totalSupply}","treasury_account_id":${toJsonEntityId(token.treasuryAccountId)},"type":"${token.type}","wipe_key":${toJsonKey(token.wipeKey)}}`;
}

/** Fractional fees belong to fungible tokens, royalty fees to the others; the other list is not named at all. */
function formatCustomFees({ customFees, type }: Token): string {
  const typed =
    type === 'NON_FUNGIBLE_UNIQUE'
      ? `"royalty_fees":${toJsonArray(customFees.royaltyFees, formatRoyaltyFee)}`
      : `"fractional_fees":${toJsonArray(customFees.fractionalFees, formatFractionalFee)}`;
  return `{"created_timestamp":${toJsonTimestamp(customFees.createdTimestamp)},"fixed_fees":${toJsonArray(customFees.fixedFees, formatFixedFee)},${typed}}`;
}

function formatFixedFee(fee: FixedFee): string {
  return `{"all_collectors_are_exempt":${fee.allCollectorsAreExempt},"amount":${fee.amount},"collector_account_id":${toJsonEntityId(fee.collectorAccountId)},"denominating_token_id":${toJsonEntityId(fee.denominatingTokenId)}}`;
}

function formatFractionalFee(fee: FractionalFee): string {
  return `{"all_collectors_are_exempt":${fee.allCollectorsAreExempt},"amount":{"numerator":${fee.numerator},"denominator":${fee.denominator}},"collector_account_id":${toJsonEntityId(fee.collectorAccountId)},"denominating_token_id":${toJsonEntityId(fee.denominatingTokenId)},"maximum":${toJsonInteger(fee.maximumAmount)},"minimum":${fee.minimumAmount},"net_of_transfers":${fee.netOfTransfers}}`;
}

function formatRoyaltyFee(fee: RoyaltyFee): string {
  const fallback = fee.fallbackFee
    ? `{"amount":${fee.fallbackFee.amount},"denominating_token_id":${toJsonEntityId(fee.fallbackFee.denominatingTokenId)}}`
    : 'null';
  return `{"all_collectors_are_exempt":${fee.allCollectorsAreExempt},"amount":{"denominator":${fee.denominator},"numerator":${fee.numerator}},"collector_account_id":${toJsonEntityId(fee.collectorAccountId)},"fallback_fee":${fallback}}`;
}
