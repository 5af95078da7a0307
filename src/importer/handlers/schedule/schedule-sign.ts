// ScheduleSign: adds signatures only, which `addScheduleSignatures` keeps.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const scheduleSign: TransactionHandler = {
  bodyField: 'scheduleSign',
  entityId: (item) => toEntityId(item.body.scheduleSign?.scheduleID),
};
