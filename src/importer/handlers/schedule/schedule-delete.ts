// ScheduleDelete: the entity is marked; the schedule's row stays as it is.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { deletedEntity } from '../../columns/entity-change.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const scheduleDelete: TransactionHandler = {
  bodyField: 'scheduleDelete',
  entityId: (item) => toEntityId(item.body.scheduleDelete?.scheduleID),
  onSuccess(item, context) {
    if (item.entityId === 0n) return;
    context.rows.version('entity', deletedEntity(item, item.entityId, 'SCHEDULE', {}));
  },
};
