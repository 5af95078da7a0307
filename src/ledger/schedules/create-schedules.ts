// Schedules with their collected signatures: one, or a page.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type SchedulesFilter,
  selectSchedule,
  selectSchedules,
} from '../../../packages/store/read/select-schedules.ts';
import { askPage, whereEvery } from '../question/page.ts';

export function createSchedules({ db }: { db: Database }) {
  return {
    /** By schedule id. Every condition must hold; several exact ids find nothing. */
    list: (query: SchedulesFilter) =>
      askPage(
        whereEvery(query, ['accountId', 'scheduleId']),
        (filter) => selectSchedules(db, filter),
        (last) => last.scheduleId,
      ),
    find: (scheduleId: bigint) => selectSchedule(db, scheduleId),
  };
}
