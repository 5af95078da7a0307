// Schedules with the signatures they have collected: one, or a page.
import { everyCondition, isEmptyRange } from '../../kit/range.ts';
import { type ScheduleRow, selectSchedule, selectSchedules } from '../../store/read/select-schedules.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';
import type { Schedule, SchedulesQuery } from './schedule.ts';

export type Schedules = {
  /** By schedule id. */
  list(query: SchedulesQuery): Promise<Page<Schedule>>;
  find(scheduleId: bigint): Promise<Schedule | null>;
};

export function createSchedules({ db }: { db: Database }): Schedules {
  return {
    async list({ accountId, scheduleId, order, limit }) {
      const filter = { creator: everyCondition(accountId), schedule: everyCondition(scheduleId), order, limit };
      if (isEmptyRange(filter.creator) || isEmptyRange(filter.schedule)) return emptyPage;
      const rows = await selectSchedules(db, filter);
      return toPage(rows.map(toSchedule), limit, (last) => last.scheduleId);
    },
    async find(scheduleId) {
      const row = await selectSchedule(db, scheduleId);
      return row && toSchedule(row);
    },
  };
}

function toSchedule(row: ScheduleRow): Schedule {
  return {
    consensusTimestamp: row.consensusTimestamp,
    creatorAccountId: row.creatorAccountId,
    entity: row.entityId === null ? null : { adminKey: row.key, deleted: row.deleted, memo: row.memo },
    executedTimestamp: row.executedTimestamp,
    expirationTime: row.expirationTime,
    payerAccountId: row.payerAccountId,
    scheduleId: row.scheduleId,
    signatures: row.signatures.map((signature) => ({
      consensusTimestamp: signature.consensusTimestamp,
      publicKeyPrefix: signature.publicKeyPrefix,
      signature: signature.signature,
      type: signature.type,
    })),
    transactionBody: row.transactionBody,
    waitForExpiry: row.waitForExpiry,
  };
}
