// Custom fees that a transaction's token transfers cost.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';

export function addAssessedCustomFees(item: BlockItem, context: ItemContext): void {
  for (const fee of item.record.assessedCustomFees ?? []) {
    context.rows.insert('assessed_custom_fee', {
      amount: toBigInt(fee.amount),
      collector_account_id: context.lookup.account(fee.feeCollectorAccountId),
      consensus_timestamp: item.consensusTimestamp,
      effective_payer_account_ids: (fee.effectivePayerAccountId ?? []).map((payer) => context.lookup.account(payer)),
      payer_account_id: item.payerAccountId,
      /** null = tinybar. */
      token_id: toEntityId(fee.tokenId) || null,
    });
  }
}
