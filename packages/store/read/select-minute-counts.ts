// How many transactions the blocks have that ended in each minute of consensus time.
import type { Database } from '../../postgres/wire/database.ts';
import { expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** ns */
export const minuteLength = 60_000_000_000n;

/** `minute`: since 1970. */
export type MinuteCount = RowOf<typeof minuteCount>;

const minuteCount = selectAll(
  expression('minute', 'int8', `consensus_end / ${minuteLength}`),
  expression('transactions', 'int8', 'sum(count)::int8'),
);

/**
 * Minutes with blocks, from `from` to before `until`, ascending. Reads each of their blocks by the key of the table.
 */
export function selectMinuteCounts(
  db: Database,
  { from, until }: { from: bigint; until: bigint },
): Promise<MinuteCount[]> {
  return db.query(
    selectQuery({
      name: 'select-minute-counts',
      select: minuteCount,
      from: 'from record_file where consensus_end >= $1 and consensus_end < $2 group by 1 order by 1',
      values: [from * minuteLength, until * minuteLength],
    }),
  );
}
