// The execution of a schedule, successful or not: any record that names a schedule says when it ran.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';

export function addScheduleExecution(item: BlockItem, context: ItemContext): void {
  if (!item.record.scheduleRef) return;
  const scheduleId = toEntityId(item.record.scheduleRef);
  if (scheduleId === 0n) return;
  context.rows.upsert('schedule', { executed_timestamp: item.consensusTimestamp, schedule_id: scheduleId });
}
