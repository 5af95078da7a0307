// Schedules with columns of their entity and the collected signatures: one of them, or a page.

import { compareBigints } from '../../kit/compare-bigints.ts';
import { anyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { findOf } from './distributed/look-up.ts';
import { foundBy, type Joined, joinAll } from './joined.ts';
import { nestedRows } from './nested-rows.ts';
import { allRows, type PageFilter, selectPage } from './select-page.ts';
import { columns, everyColumn, expression, type RowOf, type Selection, selectAll } from './statement/columns.ts';

/** The entity's columns are null without an entity row (`entity_id`). */
export type ScheduleRow = Awaited<ReturnType<typeof selectSchedules>>[number];

type SignatureRow = RowOf<typeof signatureRow>;

/** `accountId`: of the creator. */
export type SchedulesFilter = PageFilter & { accountId: Range; scheduleId: Range };

export function selectSchedules(db: Database, { accountId, scheduleId, ...page }: SchedulesFilter) {
  const query = { name: 'select-schedules', select: ownRow, from: 'schedule where true', values: [] };
  const conditions = { keys: { schedule_id: scheduleId }, further: { creator_account_id: accountId } };
  return selectPage(db, page, { ...query, ...conditions }, restOfSchedule);
}

export async function selectSchedule(db: Database, scheduleId: bigint): Promise<ScheduleRow | null> {
  const query = { name: 'select-schedule', select: ownRow, from: 'schedule where schedule_id = $1' };
  const conditions = { values: [scheduleId], keys: { schedule_id: anyRange } };
  return (await selectPage(db, allRows, { ...query, ...conditions }, restOfSchedule))[0] ?? null;
}

const ownRow = everyColumn('schedule');
const entityOfSchedule = foundBy({
  name: 'find-schedule-entities',
  table: 'entity',
  alias: 'e',
  select: columns('entity', { entity_id: 'id', admin_key: 'key', deleted: 'deleted', memo: 'memo' }),
  keys: { id: 'schedule_id' },
});
/** The order in which rows were written; within one transaction, that of the signature map. No column stores it. */
const place = expression('place', 'bytea', 'tidsend(ctid)');
const signatureRow = selectAll(
  columns('transaction_signature', ['consensus_timestamp', 'public_key_prefix', 'signature', 'type']),
  place,
);
const nested = nestedRows(
  'stored_signatures',
  signatureRow,
  'from transaction_signature where entity_id = page.schedule_id',
);

type Signed = { scheduleId: bigint; signatures: SignatureRow[] };

// Aggregated by PostgreSQL, a page takes a third longer; as joined rows, each repeats its schedule.
const signatures: Joined<{ signatures: SignatureRow[] }> = {
  select: nested.select as Selection<unknown> as Selection<{ signatures: SignatureRow[] }>,
  sql: '',
  gather(rows) {
    for (const row of rows as (Signed & RowOf<typeof nested.select>)[])
      row.signatures = nested.read(row.storedSignatures).sort(inOrderOfSigning);
    return rows as Signed[];
  },
  async add(db, rows) {
    const schedules = rows as Signed[];
    const signaturesOf = await findOf(db, schedules, {
      name: 'find-signatures',
      table: 'transaction_signature',
      select: signatureRow,
      keys: [['entity_id', (row) => row.scheduleId]],
    });
    for (const row of schedules) row.signatures = signaturesOf(row).sort(inOrderOfSigning);
  },
};
const restOfSchedule = joinAll(entityOfSchedule, signatures);

function inOrderOfSigning(one: SignatureRow, other: SignatureRow): number {
  return compareBigints(one.consensusTimestamp, other.consensusTimestamp) || Buffer.compare(one.place, other.place);
}
