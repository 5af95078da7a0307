// Schedules with what their entity says and the signatures collected: one of them, or a page.
import type { Database } from '../database.ts';
import { toLiteralLimit } from './statement-parts.ts';

export type ScheduleRow = {
  consensus_timestamp: bigint;
  creator_account_id: bigint;
  executed_timestamp: bigint | null;
  expiration_time: bigint | null;
  payer_account_id: bigint;
  schedule_id: bigint;
  transaction_body: Buffer;
  wait_for_expiry: boolean;
  /** null = there is no entity row. */
  entity_id: bigint | null;
  deleted: boolean | null;
  key: Buffer | null;
  memo: string;
  signatures: SignatureRow[];
};

type SignatureRow = {
  consensus_timestamp: bigint;
  public_key_prefix: Buffer;
  signature: Buffer;
  type: number | null;
};

/** Conditions on an id, AND-ed; null = open. */
export type IdFilter = {
  equals: bigint | null;
  from: bigint | null;
  to: bigint | null;
  notEquals: readonly bigint[];
};

export type SchedulesFilter = { creator: IdFilter; schedule: IdFilter; order: 'asc' | 'desc'; limit: number };

export async function selectSchedules(db: Database, filter: SchedulesFilter): Promise<ScheduleRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  const creator = toIdPart('creator_account_id', filter.creator, values);
  const schedule = toIdPart('schedule_id', filter.schedule, values);
  const rows = await db.query<StoredRow>({
    name: 'select-schedules',
    shape: `${order}${limit}-${creator.code}-${schedule.code}`,
    text: toText(
      `(
  select * from schedule where true${creator.sql}${schedule.sql} order by schedule_id ${order} limit ${limit}
)`,
      ` order by s.schedule_id ${order}`,
    ),
    values,
  });
  return rows.slice(0, filter.limit).map(toScheduleRow);
}

export async function selectSchedule(db: Database, scheduleId: bigint): Promise<ScheduleRow | null> {
  const rows = await db.query<StoredRow>({
    name: 'select-schedule',
    text: toText('(select * from schedule where schedule_id = $1)', ''),
    values: [scheduleId],
  });
  return rows[0] ? toScheduleRow(rows[0]) : null;
}

type StoredRow = Omit<ScheduleRow, 'signatures'> & { signatures: string | null };

function toText(schedules: string, ordering: string): string {
  return `select s.consensus_timestamp, s.creator_account_id, s.executed_timestamp, s.expiration_time,
  s.payer_account_id, s.schedule_id, s.transaction_body, s.wait_for_expiry,
  e.id as entity_id, e.deleted, e.key, e.memo,
  (select string_agg(
      ts.consensus_timestamp || ',' || encode(ts.public_key_prefix, 'hex') || ',' || encode(ts.signature, 'hex') || ',' ||
        coalesce(ts.type::text, ''),
      ';' order by ts.consensus_timestamp, ts.public_key_prefix)
    from transaction_signature ts where ts.entity_id = s.schedule_id) as signatures
from ${schedules} s
left join lateral (select id, deleted, key, memo from entity where id = s.schedule_id limit 1) e on true${ordering}`;
}

function toIdPart(column: string, filter: IdFilter, values: unknown[]): { code: string; sql: string } {
  let sql = '';
  let code = '';
  const add = (letter: string, operator: string, value: unknown) => {
    values.push(value);
    sql += ` and ${column} ${operator.replace('?', `$${values.length}`)}`;
    code += letter;
  };
  if (filter.equals !== null) add('e', '= ?', filter.equals);
  if (filter.from !== null) add('f', '>= ?', filter.from);
  if (filter.to !== null) add('t', '<= ?', filter.to);
  if (filter.notEquals.length > 0) add('n', '<> all(?)', filter.notEquals);
  return { code, sql };
}

function toScheduleRow(row: StoredRow): ScheduleRow {
  const lines = row.signatures ? row.signatures.split(';') : [];
  return {
    ...row,
    signatures: lines.map((line) => {
      const parts = line.split(',');
      return {
        consensus_timestamp: BigInt(parts[0]!),
        public_key_prefix: Buffer.from(parts[1]!, 'hex'),
        signature: Buffer.from(parts[2]!, 'hex'),
        type: parts[3] === '' ? null : Number(parts[3]),
      };
    }),
  };
}
