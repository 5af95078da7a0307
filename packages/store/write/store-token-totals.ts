// What is counted of tokens of the token service. Sums and how far they go are written by one statement, so that a kill
// neither misses nor repeats a transaction.
import type { Database } from '../../postgres/wire/database.ts';
import type { MovedToken } from '../read/select-token-totals.ts';

type Moves = {
  /** Of what was stored before; null = nothing was. Nothing is written if another process went on meanwhile. */
  after: bigint | null;
  until: bigint;
  tokens: readonly MovedToken[];
};

export async function storeMovedTokens(db: Database, { after, until, tokens }: Moves): Promise<void> {
  await db.query({
    name: 'store-moved-tokens',
    text: `with moved as (
  insert into token_total_progress as p (id, consensus_timestamp) values (1, $2)
  on conflict (id) do update set consensus_timestamp = excluded.consensus_timestamp
    where p.consensus_timestamp = $1
  returning id
)
insert into token_total as t (token_id, transfers, last_timestamp)
select given.* from unnest($3::int8[], $4::int8[], $5::int8[]) given where exists (select from moved)
on conflict (token_id) do update set transfers = t.transfers + excluded.transfers,
  last_timestamp = excluded.last_timestamp`,
    values: [
      ...[after, until],
      tokens.map(({ tokenId }) => tokenId),
      tokens.map(({ transfers }) => transfers),
      tokens.map(({ lastTimestamp }) => lastTimestamp),
    ],
  });
}

export type HolderCount = {
  tokenId: bigint;
  /** Of its last transfer before it was counted. */
  countedTimestamp: bigint;
  relations: bigint;
  /** null = too many. */
  holders: bigint | null;
};

export async function storeHolderCounts(db: Database, counts: readonly HolderCount[]): Promise<void> {
  await db.query({
    name: 'store-holder-counts',
    text: `update token_total t set counted_timestamp = c.counted_timestamp, relations = c.relations, holders = c.holders
from unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[]) as c (token_id, counted_timestamp, relations, holders)
where t.token_id = c.token_id`,
    values: [
      counts.map(({ tokenId }) => tokenId),
      counts.map(({ countedTimestamp }) => countedTimestamp),
      counts.map(({ relations }) => relations),
      counts.map(({ holders }) => holders),
    ],
  });
}
