// Schedules with columns of their entity and the collected signatures: one of them, or a page.
import { compareBigints } from '../../kit/compare-bigints.ts';
import { anyRange, type Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { findOf } from './distributed/look-up.ts';
import { foundBy, type Joined, joinAll } from './joined.ts';
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
const place = expression('place', 'int8', '(ctid::text::point)[0]::int8 * 65536 + (ctid::text::point)[1]::int8');
const signatureRow = selectAll(
  columns('transaction_signature', ['consensus_timestamp', 'public_key_prefix', 'signature', 'type']),
  place,
);

/** One row for each signature, and one for a schedule without any. */
const signed = selectAll(
  columns(
    'transaction_signature',
    {
      signed_timestamp: 'consensus_timestamp',
      public_key_prefix: 'public_key_prefix',
      signature: 'signature',
      signature_type: 'type',
    },
    'ts',
  ),
  expression('place', 'int8', 'ts.place'),
).optional();

type Signed = { scheduleId: bigint; signatures: SignatureRow[] };

// Signatures as separate rows: aggregated by PostgreSQL, a page takes a third longer.
const signatures: Joined<{ signatures: SignatureRow[] }> = {
  select: signed as Selection<unknown> as Selection<{ signatures: SignatureRow[] }>,
  sql: `left join lateral (
  select ${signatureRow.sql} from transaction_signature where entity_id = page.schedule_id
) ts on true`,
  gather(rows) {
    const schedules: Signed[] = [];
    for (const row of rows as (Signed & RowOf<typeof signed>)[]) {
      if (schedules.at(-1)?.scheduleId !== row.scheduleId) schedules.push(Object.assign(row, { signatures: [] }));
      if (row.signedTimestamp === null) continue;
      schedules.at(-1)!.signatures.push({
        consensusTimestamp: row.signedTimestamp,
        publicKeyPrefix: row.publicKeyPrefix,
        signature: row.signature,
        type: row.signatureType,
        place: row.place,
      });
    }
    for (const schedule of schedules) schedule.signatures.sort(inOrderOfSigning);
    return schedules;
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
  return compareBigints(one.consensusTimestamp, other.consensusTimestamp) || compareBigints(one.place, other.place);
}
