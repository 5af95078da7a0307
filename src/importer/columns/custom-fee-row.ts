// The custom_fee row of a token or topic: three lists of fees. A list without fees is NULL, and a row of NULLs only
// marks since when there are none.

import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';

/** @param entityId the token or topic; a fee denominated in token 0.0.0 is one in the token itself. */
export function customFeeRow(
  item: BlockItem,
  entityId: bigint,
  fees: readonly proto.ICustomFee[],
  { lookup }: Pick<ItemContext, 'lookup'>,
): Row<'custom_fee'> {
  const fixed: JsonValue[] = [];
  const fractional: JsonValue[] = [];
  const royalty: JsonValue[] = [];
  for (const fee of fees) {
    const common = {
      all_collectors_are_exempt: fee.allCollectorsAreExempt === true,
      collector_account_id: lookup.account(fee.feeCollectorAccountId) || null,
    };
    if (fee.fixedFee) {
      fixed.push({ ...common, ...fixedFee(fee.fixedFee, entityId) });
    } else if (fee.fractionalFee) {
      const { fractionalAmount, maximumAmount, minimumAmount, netOfTransfers } = fee.fractionalFee;
      fractional.push({
        ...common,
        denominator: toBigInt(fractionalAmount?.denominator),
        maximum_amount: toBigInt(maximumAmount) || null,
        minimum_amount: toBigInt(minimumAmount),
        net_of_transfers: netOfTransfers === true,
        numerator: toBigInt(fractionalAmount?.numerator),
      });
    } else if (fee.royaltyFee) {
      const { exchangeValueFraction, fallbackFee } = fee.royaltyFee;
      royalty.push({
        ...common,
        denominator: toBigInt(exchangeValueFraction?.denominator),
        fallback_fee: fallbackFee ? fixedFee(fallbackFee, entityId) : null,
        numerator: toBigInt(exchangeValueFraction?.numerator),
      });
    }
  }
  return {
    entity_id: entityId,
    fixed_fees: orNull(fixed),
    fractional_fees: orNull(fractional),
    royalty_fees: orNull(royalty),
    timestamp_range: { from: item.consensusTimestamp, to: null },
  };
}

/** Token that a fixed fee is paid in; null = tinybar. */
export function denominatingToken(fee: proto.IFixedFee, entityId: bigint): bigint | null {
  return fee.denominatingTokenId ? toEntityId(fee.denominatingTokenId) || entityId : null;
}

function fixedFee(fee: proto.IFixedFee, entityId: bigint): { amount: bigint; denominating_token_id: bigint | null } {
  return { amount: toBigInt(fee.amount), denominating_token_id: denominatingToken(fee, entityId) };
}

function orNull(fees: JsonValue[]): JsonValue[] | null {
  return fees.length > 0 ? fees : null;
}
