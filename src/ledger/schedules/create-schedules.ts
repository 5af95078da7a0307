// Schedules with the signatures they have collected: one, or a page.
import type { Range } from '../../kit/range.ts';
import type { IdFilter, ScheduleRow } from '../../store/read/select-schedules.ts';
import { selectSchedule, selectSchedules } from '../../store/read/select-schedules.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../page.ts';
import type { Schedule, SchedulesQuery } from './schedule.ts';

export type Schedules = {
  /** By schedule id. */
  list(query: SchedulesQuery): Promise<Page<Schedule>>;
  find(scheduleId: bigint): Promise<Schedule | null>;
};

export function createSchedules({ db }: { db: Database }): Schedules {
  return {
    async list({ accountId, scheduleId, order, limit }) {
      const creator = toIdFilter(accountId);
      const schedule = toIdFilter(scheduleId);
      if (!creator || !schedule) return emptyPage;
      const rows = await selectSchedules(db, { creator, schedule, order, limit });
      return toPage(rows.map(toSchedule), limit, (last) => last.scheduleId);
    },
    async find(scheduleId) {
      const row = await selectSchedule(db, scheduleId);
      return row && toSchedule(row);
    },
  };
}

/** All conditions must hold; null when no id can meet them. */
export function toIdFilter(range: Range): IdFilter | null {
  const { from, to, equals, notEquals } = range;
  if (equals.length > 1 || (from ?? least) > (to ?? greatest)) return null;
  return { equals: equals[0] ?? null, from, to, notEquals };
}

// Ids in the tables are int64; beyond its ends there is none.
const least = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;

function toSchedule(row: ScheduleRow): Schedule {
  return {
    consensusTimestamp: row.consensus_timestamp,
    creatorAccountId: row.creator_account_id,
    entity: row.entity_id === null ? null : { adminKey: row.key, deleted: row.deleted, memo: row.memo },
    executedTimestamp: row.executed_timestamp,
    expirationTime: row.expiration_time,
    payerAccountId: row.payer_account_id,
    scheduleId: row.schedule_id,
    signatures: row.signatures.map((signature) => ({
      consensusTimestamp: signature.consensus_timestamp,
      publicKeyPrefix: signature.public_key_prefix,
      signature: signature.signature,
      type: signature.type,
    })),
    transactionBody: row.transaction_body,
    waitForExpiry: row.wait_for_expiry,
  };
}
