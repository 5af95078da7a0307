// Schedules with the signatures they have collected: one, or a page.

import type { IdFilter, ScheduleRow } from '../../store/read/select-schedules.ts';
import { selectSchedule, selectSchedules } from '../../store/read/select-schedules.ts';
import type { Database } from '../../store/wire/database.ts';
import type { IdCondition, Schedule, SchedulesQuery } from './schedule.ts';

export async function askSchedules(db: Database, query: SchedulesQuery): Promise<Schedule[]> {
  const creator = toIdFilter(query.accountIds);
  const schedule = toIdFilter(query.scheduleIds);
  if (!creator || !schedule) return [];
  const rows = await selectSchedules(db, { creator, schedule, order: query.order, limit: query.limit });
  return rows.map(toSchedule);
}

export async function askSchedule(db: Database, scheduleId: bigint): Promise<Schedule | null> {
  const row = await selectSchedule(db, scheduleId);
  return row && toSchedule(row);
}

/** All conditions together; null when no id can meet them. */
export function toIdFilter(conditions: readonly IdCondition[]): IdFilter | null {
  let equals: bigint | null = null;
  let from: bigint | null = null;
  let to: bigint | null = null;
  const notEquals: bigint[] = [];
  for (const { operator, id } of conditions) {
    if (operator === 'eq') {
      if (equals !== null && equals !== id) return null;
      equals = id;
    } else if (operator === 'ne') notEquals.push(id);
    else if (operator === 'gt' || operator === 'gte') {
      const first = operator === 'gt' ? id + 1n : id;
      if (from === null || first > from) from = first;
    } else {
      const last = operator === 'lt' ? id - 1n : id;
      if (to === null || last < to) to = last;
    }
  }
  if ((from ?? least) > (to ?? greatest)) return null;
  return { equals, from, to, notEquals };
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
