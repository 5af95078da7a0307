// ScheduleSign: adds signatures only, which `addScheduleSignatures` keeps.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { TransactionHandler } from '../handler.ts';

export const scheduleSign: TransactionHandler = {
  type: 44,
  name: 'SCHEDULESIGN',
  entityId: (item) => toEntityId(item.body.scheduleSign?.scheduleID),
};
