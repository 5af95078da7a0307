// SQL over the lists of the times at which something of an entity moved, which a database in the compact form has.
import type { Range } from '../../../kit/range.ts';
import type { Database } from '../../../postgres/wire/database.ts';
import { isAlone, rowsOf, storedTable } from '../../../schema/compact-form.ts';

/**
 * SQL, a table expression: a row for each moment of the lists, with `entity_id`, `first_timestamp` of the list, and
 * `consensus_timestamp`. Moments of an entity are in order if sorted by the last two, which PostgreSQL does list by
 * list, as far as rows are wanted.
 */
export const entityMoments = `(
    select l.entity_id, l.first_timestamp, m.at as consensus_timestamp
    from entity_moments l cross join lateral unnest(l.moments) m (at)
  )`;

/**
 * SQL: ` and …` on a row `s` of `entityMoments`: lists of an entity that can hold moments from `from` to `to`, both
 * inclusive. All three are SQL, of no column of `s`. Without it all lists of the entity are read.
 */
export function withinLists(entity: string, { from, to }: { from: string | null; to: string | null }): string {
  const begin =
    from === null
      ? ''
      : ` and s.first_timestamp >= coalesce((
      select b.first_timestamp from entity_moments b where b.entity_id = ${entity} and b.first_timestamp <= ${from}
      order by b.first_timestamp desc limit 1
    ), 0)`;
  return `${begin}${to === null ? '' : ` and s.first_timestamp <= ${to}`}`;
}

/** SQL: ` and …` on a row `s` of `entityMoments`: its transaction was not dropped. Needed where none is joined. */
export const isKept = ' and s.consensus_timestamp >= (select dropped_until from compact_extent)';

/** The outermost moments that a range contains. */
export function boundsOf({ from, to, equals }: Range): { from: bigint | null; to: bigint | null } {
  const least = equals.length === 0 ? null : equals.reduce((one, other) => (other < one ? other : one));
  const greatest = equals.length === 0 ? null : equals.reduce((one, other) => (other > one ? other : one));
  return {
    from: least !== null && (from === null || least > from) ? least : from,
    to: greatest !== null && (to === null || greatest < to) ? greatest : to,
  };
}

const fewLists = 1_000;

/**
 * SQL: whether the entities that a condition is for have so few lists that all of their moments may be read and sorted.
 * It is known before anything else is read.
 */
export function hasFewLists(ofEntity: (column: string) => string): string {
  return `(select count(*) from (
      select from entity_moments l where ${ofEntity('l.entity_id')} limit ${fewLists}
    ) few) < ${fewLists}`;
}

/** SQL: whether the lists of an entity have a moment. */
export function hasMoment(entity: string, moment: string): string {
  return `coalesce((
    select ${moment} = any(l.moments) from entity_moments l
    where l.entity_id = ${entity} and l.first_timestamp <= ${moment} order by l.first_timestamp desc limit 1
  ), false)`;
}

const signs = { credit: ' and u.amount > 0', debit: ' and u.amount < 0' } as const;

export type Moved = keyof typeof signs | null;

/** SQL: whether a transaction whose rows were moved credited or debited an entity. */
export function isMovedAs(moved: Exclude<Moved, null>, entity: string, moment: string): string {
  const some = ({ unpack, entity: column }: PackedTable): string => `select from transaction t
      cross join lateral ${unpack}(t.packed_transfers) u
      where t.consensus_timestamp = ${moment} and ${isAlone('t')} and u.${column} = ${entity}${signs[moved]}`;
  return `(exists (${some(packedIn.crypto_transfer)}) or exists (${some(packedIn.token_transfer)}))`;
}

/**
 * SQL: whether a transaction `s` moved something of the entities that a condition is for, on either side of the border;
 * nearly all have it packed.
 */
export function movesOf(ofEntity: (column: string) => string, moved: Moved): string {
  const sign = moved === null ? '' : signs[moved];
  const packed = transferTables.map((table) => {
    const { unpack, entity } = packedIn[table];
    return `exists (select from ${unpack}(s.packed_transfers) u where ${ofEntity(`u.${entity}`)}${sign})`;
  });
  // As `exists` PostgreSQL would hash all rows.
  const stored = transferTables.map(
    (table) => `(select 1 from ${rowsOf[table]} u where u.consensus_timestamp = s.consensus_timestamp
      and ${ofEntity(`u.${packedIn[table].entity}`)}${sign} limit 1) is not null`,
  );
  return `case when s.packed_transfers is null then ${stored.join(' or ')} else ${packed.join(' or ')} end`;
}

const packedIn = {
  crypto_transfer: { unpack: 'hbar_transfers_in', entity: 'entity_id', further: 'errata' },
  token_transfer: { unpack: 'token_transfers_in', entity: 'account_id', further: 'token_id' },
} as const;

type TransferTable = keyof typeof packedIn;
type PackedTable = (typeof packedIn)[TransferTable];
const transferTables = Object.keys(packedIn) as TransferTable[];

type TransfersOfEntity = {
  /** SQL, as the two bounds: `from` is exclusive, `to` inclusive. */
  entity: string;
  from: string;
  to: string;
  /** ` and …` on a stored row `s`. */
  isRow?: string;
};

/**
 * SQL, a table expression: the transfers of one entity in a time, whatever form the database has, with
 * `consensus_timestamp`, `amount`, and `errata` or `token_id`.
 */
export function transfersOfEntity(
  { isCompact }: Pick<Database, 'isCompact'>,
  table: TransferTable,
  { entity, from, to, isRow = '' }: TransfersOfEntity,
): string {
  const { entity: column, further } = packedIn[table];
  const within = `s.consensus_timestamp > ${from} and s.consensus_timestamp <= ${to}`;
  const rows = `select s.consensus_timestamp, s.amount, s.${further} from ${storedTable(table, isCompact)} s
    where s.${column} = ${entity}${isRow} and ${within}`;
  if (!isCompact) return `(${rows})`;
  return `(
    ${rows}
    union all
    ${selectMoved(table, entity)}${withinLists(entity, { from, to })} and ${within}
  )`;
}

/**
 * SQL, a table expression: the newest hbar transfers of one entity, whatever form the database has, as above; newest
 * first. `from`: SQL, inclusive, null = from the beginning.
 */
export function newestTransfersOfEntity(
  { isCompact }: Pick<Database, 'isCompact'>,
  { entity, from, limit, isRow }: { entity: string; from: string | null; limit: number; isRow: string },
): string {
  const since = from === null ? '' : ` and s.consensus_timestamp >= ${from}`;
  const newest = `s.consensus_timestamp desc limit ${limit}`;
  const rows = `select s.consensus_timestamp, s.amount from ${storedTable('crypto_transfer', isCompact)} s
    where s.entity_id = ${entity}${isRow}${since} and s.errata is distinct from 'DELETE' order by ${newest}`;
  if (!isCompact) return `(${rows})`;
  const moved = `${selectMoved('crypto_transfer', entity)}${withinLists(entity, { from, to: null })}${since}`;
  return `(
    select * from (
      (${rows})
      union all
      (select consensus_timestamp, amount from (${moved} order by s.first_timestamp desc, ${newest}) m)
    ) s order by ${newest}
  )`;
}

/** Transfers whose rows were moved, of the moments `s` of an entity (SQL). */
function selectMoved(table: TransferTable, entity: string): string {
  const { unpack, entity: column, further } = packedIn[table];
  const unpacked = further === 'errata' ? 'null::errata_type' : `u.${further}`;
  return `select s.consensus_timestamp, u.amount, ${unpacked} as ${further}
    from ${entityMoments} s
    join transaction t on t.consensus_timestamp = s.consensus_timestamp
    cross join lateral ${unpack}(t.packed_transfers) u
    where s.entity_id = ${entity} and u.${column} = ${entity} and ${isAlone('t')}`;
}
