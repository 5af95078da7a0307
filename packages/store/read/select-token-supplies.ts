// How much there was of a token over time: its versions, the newest first.
import type { Database } from '../../postgres/wire/database.ts';
import { columns, expression, selectAll, selectQuery } from './statement/columns.ts';

const version = selectAll(expression('since', 'int8', 'lower(timestamp_range)'), columns('token', ['total_supply']));

/** At most `limit` versions; each in the smallest unit, since a consensus time (ns). */
export async function selectTokenSupplies(db: Database, tokenId: bigint, limit: number) {
  return db.query(
    selectQuery({
      name: 'select-token-supplies',
      select: version,
      from: `from (
  select timestamp_range, total_supply from token where token_id = $1
  union all
  (select timestamp_range, total_supply from token_history where token_id = $1 order by lower(timestamp_range) desc limit $2)
) versions order by lower(timestamp_range) desc limit $2`,
      values: [tokenId, limit],
    }),
  );
}
