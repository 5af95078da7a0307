// Stops and restarts everything that can be done with a token.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { BlockItem, HandlerContext, TransactionHandler } from '../../block/item-context.ts';

export const tokenPause: TransactionHandler = {
  bodyField: 'tokenPause',
  entityId: (item) => toEntityId(item.body.tokenPause?.token),
  onSuccess: (item, context) => setPauseStatus(item, context, 'PAUSED'),
};

export const tokenUnpause: TransactionHandler = {
  bodyField: 'tokenUnpause',
  entityId: (item) => toEntityId(item.body.tokenUnpause?.token),
  onSuccess: (item, context) => setPauseStatus(item, context, 'UNPAUSED'),
};

function setPauseStatus(item: BlockItem, { rows }: HandlerContext, pauseStatus: string): void {
  rows.version('token', {
    pause_status: pauseStatus,
    timestamp_range: { from: item.consensusTimestamp, to: null },
    token_id: item.entityId,
  });
}
