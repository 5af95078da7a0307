// New custom fees of a token, in place of all earlier ones.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { customFeeRow } from '../../columns/custom-fee-row.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const tokenFeeScheduleUpdate: TransactionHandler = {
  bodyField: 'tokenFeeScheduleUpdate',
  entityId: (item) => toEntityId(item.body.tokenFeeScheduleUpdate?.tokenId),
  onSuccess: (item, context) => {
    const fees = item.body.tokenFeeScheduleUpdate?.customFees ?? [];
    context.rows.version('custom_fee', customFeeRow(item, item.entityId, fees, context));
  },
};
