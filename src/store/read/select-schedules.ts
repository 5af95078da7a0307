// Schedules with what their entity says and the signatures collected: one of them, or a page.
import { compareBigints } from '../../kit/compare-bigints.ts';
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { addFound, findOf } from './distributed/look-up.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

/** The entity's columns are null where there is no entity row (`entity_id`). */
export type ScheduleRow = RowOf<typeof scheduleRow> & { signatures: SignatureRow[] };

type SignatureRow = RowOf<typeof signatureRow>;

/** `accountId`: of the creator. */
export type SchedulesFilter = { accountId: Range; scheduleId: Range; order: 'asc' | 'desc'; limit: number };

export async function selectSchedules(db: Database, filter: SchedulesFilter): Promise<ScheduleRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  const creator = toRangePart(filter.accountId, values);
  const schedule = toRangePart(filter.scheduleId, values);
  const rows = await selectWithSignatures(db, {
    name: 'select-schedules',
    shape: `${order}${limit}-${creator.code}-${schedule.code}`,
    page: `select * from schedule where true${creator.sql('creator_account_id')}${schedule.sql('schedule_id')} order by schedule_id ${order} limit ${limit}`,
    order,
    values,
  });
  return rows.slice(0, filter.limit);
}

export async function selectSchedule(db: Database, scheduleId: bigint): Promise<ScheduleRow | null> {
  const rows = await selectWithSignatures(db, {
    name: 'select-schedule',
    page: 'select * from schedule where schedule_id = $1',
    order: 'asc',
    values: [scheduleId],
  });
  return rows[0] ?? null;
}

type SchedulePage = { name: string; shape?: string; page: string; order: 'asc' | 'desc'; values: unknown[] };

async function selectWithSignatures(db: Database, { page, order, ...query }: SchedulePage): Promise<ScheduleRow[]> {
  if (!db.isDistributed) {
    const from = withSignatures(page, order);
    return toScheduleRows(await db.query(selectQuery({ ...query, select: storedRow, from })));
  }
  const from = `from (${page}) s order by s.schedule_id ${order}`;
  const rows = await db.query(selectQuery({ ...query, select: ownRow, from }));
  const [listed, signaturesOf] = await Promise.all([
    addFound(db, rows, {
      ...{ name: 'find-schedule-entities', table: 'entity e', select: entityOfSchedule },
      keys: [['id', (row) => row.scheduleId]],
    }),
    findOf(db, rows, {
      ...{ name: 'find-signatures', table: 'transaction_signature', select: signatureRow },
      keys: [['entity_id', (row) => row.scheduleId]],
    }),
  ]);
  return listed.map((row) => Object.assign(row, { signatures: signaturesOf(row).sort(inOrderOfSigning) }));
}

const ownRow = columns(
  'schedule',
  [
    'consensus_timestamp',
    'creator_account_id',
    'executed_timestamp',
    'expiration_time',
    'payer_account_id',
    'schedule_id',
    'transaction_body',
    'wait_for_expiry',
  ],
  's',
);
const entityOfSchedule = columns(
  'entity',
  { entity_id: 'id', admin_key: 'key', deleted: 'deleted', memo: 'memo' },
  'e',
);
const scheduleRow = selectAll(ownRow, entityOfSchedule.optional());
/** In which order rows were written: that of the signature map for those of one transaction. No column says it. */
const place = expression('place', 'int8', '(ctid::text::point)[0]::int8 * 65536 + (ctid::text::point)[1]::int8');
const signatureRow = selectAll(
  columns('transaction_signature', ['consensus_timestamp', 'public_key_prefix', 'signature', 'type']),
  place,
);

/** One for each signature; one without, where there is none. */
const storedRow = selectAll(
  scheduleRow,
  selectAll(
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
  ).optional(),
);
type StoredRow = RowOf<typeof storedRow>;

// Signatures as rows of their own: where PostgreSQL puts them together, a page takes it a third longer.
function withSignatures(schedules: string, order: 'asc' | 'desc'): string {
  return `from (${schedules}) s
left join lateral (select id, deleted, key, memo from entity where id = s.schedule_id limit 1) e on true
left join lateral (
  select ${signatureRow.sql} from transaction_signature where entity_id = s.schedule_id
) ts on true
order by s.schedule_id ${order}`;
}

function toScheduleRows(rows: readonly StoredRow[]): ScheduleRow[] {
  const schedules: ScheduleRow[] = [];
  for (const row of rows) {
    if (schedules.at(-1)?.scheduleId !== row.scheduleId) {
      schedules.push(Object.assign(row, { signatures: [] as SignatureRow[] }));
    }
    if (row.signedTimestamp === null) continue;
    schedules.at(-1)!.signatures.push({
      consensusTimestamp: row.signedTimestamp,
      publicKeyPrefix: row.publicKeyPrefix,
      signature: row.signature,
      type: row.signatureType,
      place: row.place,
    });
  }
  for (const { signatures } of schedules) signatures.sort(inOrderOfSigning);
  return schedules;
}

function inOrderOfSigning(one: SignatureRow, other: SignatureRow): number {
  return compareBigints(one.consensusTimestamp, other.consensusTimestamp) || compareBigints(one.place, other.place);
}
