// The fee lists of a token or a topic, from the JSON of the row, in stored order.

import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import type { TokenRow } from '../../../packages/store/read/select-token.ts';

type StoredFee = { [name: string]: JsonValue | undefined };

export function toCustomFees(row: TokenRow) {
  return {
    createdTimestamp: row.feesTimestamp,
    fixedFees: toFixedFees(row.fixedFees),
    fractionalFees: toList(row.fractionalFees).map((fee) => ({
      ...toCollector(fee),
      ...toRatio(fee),
      denominatingTokenId: row.tokenId,
      maximum: toIntegerOrNull(fee.maximum_amount),
      minimum: toInteger(fee.minimum_amount),
      netOfTransfers: fee.net_of_transfers === true,
    })),
    royaltyFees: toList(row.royaltyFees).map((fee) => ({
      ...toCollector(fee),
      ...toRatio(fee),
      fallbackFee: toFallbackFee(fee.fallback_fee as StoredFee | null | undefined),
    })),
  };
}

/** `amount`: null if the stored fee has none. */
export function toFixedFees(stored: JsonValue) {
  return toList(stored).map((fee) => ({
    ...toCollector(fee),
    amount: toIntegerOrNull(fee.amount),
    denominatingTokenId: toIntegerOrNull(fee.denominating_token_id),
  }));
}

function toCollector(fee: StoredFee) {
  return {
    allCollectorsAreExempt: fee.all_collectors_are_exempt === true,
    collectorAccountId: toIntegerOrNull(fee.collector_account_id),
  };
}

function toRatio(fee: StoredFee) {
  return { numerator: toInteger(fee.numerator), denominator: toInteger(fee.denominator) };
}

// A fallback of 0 counts as none.
function toFallbackFee(fee: StoredFee | null | undefined) {
  const amount = toIntegerOrNull(fee?.amount);
  if (!fee || !amount) return null;
  return { amount, denominatingTokenId: toIntegerOrNull(fee.denominating_token_id) };
}

function toList(value: JsonValue): StoredFee[] {
  return Array.isArray(value) ? (value as StoredFee[]) : [];
}

function toInteger(value: JsonValue | undefined): bigint {
  return toIntegerOrNull(value) ?? 0n;
}

function toIntegerOrNull(value: JsonValue | undefined): bigint | null {
  return typeof value === 'bigint' ? value : null;
}
