// What is counted of tokens of the token service: how many transactions moved them, and how many accounts hold any.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import { toLiteralLimit } from './statement/statement-parts.ts';

/** Of `token_total u`. */
export const tokenCounts = selectAll(
  expression('transfers', 'int8', 'u.transfers'),
  expression('holders', 'int8', 'u.holders').nullable(),
);
const total = selectAll(expression('tokenId', 'int8', 'u.token_id'), tokenCounts);
export type TokenTotalRow = RowOf<typeof total>;

/** Of these tokens, those that were moved. */
export function selectTokenTotals(db: Database, tokenIds: readonly bigint[]): Promise<TokenTotalRow[]> {
  return db.query(
    selectQuery({
      name: 'select-token-totals',
      select: total,
      from: 'from token_total u where u.token_id = any($1::int8[])',
      values: [tokenIds],
    }),
  );
}

const listed = columns('token', ['token_id', 'name', 'symbol', 'type', 'decimals', 'total_supply'], 't');
type ListedToken = RowOf<typeof listed>;
/** null: not counted, or never moved; of all members but the id: of a token that this part of the ledger has not. */
export type CountedToken = { [Name in keyof ListedToken]: ListedToken[Name] | null } & {
  tokenId: bigint;
  transfers: bigint | null;
  holders: bigint | null;
};

/** `count`: null in the order of names. */
export type CountedPlace = { count: bigint | null; tokenId: bigint };

/** The most moved or the most held first, or by name. Only what was moved has a number. */
export async function selectTokensInOrder(
  db: Database,
  { by, after, limit }: { by: 'transfers' | 'holders' | 'name'; after: CountedPlace | null; limit: number },
): Promise<CountedToken[]> {
  // Two questions each: in a cluster the totals are on one machine, and the tokens are not.
  if (by === 'name') {
    const tokens = await selectTokensByName(db, after, limit);
    const ids = tokens.map(({ tokenId }) => tokenId);
    const totals = new Map((await selectTokenTotals(db, ids)).map((one) => [one.tokenId, one]));
    return tokens.map((token) => ({ transfers: null, holders: null, ...totals.get(token.tokenId), ...token }));
  }
  const totals = await selectTotalsInOrder(db, { by, after, limit });
  const ids = totals.map(({ tokenId }) => tokenId);
  const tokens = new Map((await selectListedTokens(db, ids)).map((one) => [one.tokenId, one]));
  return totals.map((one) => ({ ...(tokens.get(one.tokenId) ?? unknownToken), ...one }));
}

const unknownToken = { name: null, symbol: null, type: null, decimals: null, totalSupply: null };

async function selectTotalsInOrder(
  db: Database,
  { by, after, limit }: { by: 'transfers' | 'holders'; after: CountedPlace | null; limit: number },
): Promise<TokenTotalRow[]> {
  const behind = after === null ? '' : ` and (u.${by}, u.token_id) < ($1::int8, $2::int8)`;
  const most = toLiteralLimit(limit);
  const query = selectQuery({
    name: 'select-token-totals-in-order',
    shape: `${by}${most}${after ? '-after' : ''}`,
    select: total,
    from: `from token_total u where u.${by} is not null${behind} order by u.${by} desc, u.token_id desc limit ${most}`,
    values: after ? [after.count, after.tokenId] : [],
  });
  return (await db.query(query)).slice(0, limit);
}

function selectListedTokens(db: Database, tokenIds: readonly bigint[]): Promise<ListedToken[]> {
  return db.query(
    selectQuery({
      name: 'select-listed-tokens',
      select: listed,
      from: 'from token t where t.token_id = any($1::int8[])',
      values: [tokenIds],
    }),
  );
}

const nameKey = 'left(lower(t.name), 100)';

/** Whether there are totals, and an index of names: a database that this program did not make has neither. */
export function hasTokenTotals(db: Pick<Database, 'lacks'>): boolean {
  return !db.lacks('token_total', 'token_id');
}

/** Without an index of names so many of the newest tokens are put in order each time, some 10 ms of them. */
export const maxUnindexedNames = 10_000;

/** Behind the name that the last token has now. */
async function selectTokensByName(db: Database, after: CountedPlace | null, limit: number): Promise<ListedToken[]> {
  const named = '(select left(lower(name), 100) from token where token_id = $1)';
  const behind = after === null ? '' : `where (${nameKey}, t.token_id) > (${named}, $1) `;
  const most = toLiteralLimit(limit);
  const isIndexed = hasTokenTotals(db);
  const newest = `(select * from token order by token_id desc limit ${maxUnindexedNames})`;
  const query = selectQuery({
    name: 'select-tokens-by-name',
    shape: `${most}${after ? '-after' : ''}${isIndexed ? '' : '-newest'}`,
    select: listed,
    from: `from ${isIndexed ? 'token' : newest} t ${behind}order by ${nameKey}, t.token_id limit ${most}`,
    values: after ? [after.tokenId] : [],
  });
  return (await db.query(query)).slice(0, limit);
}

/** Up to which consensus time transactions are summed up; null = none is. */
export async function selectTotalsProgress(db: Database): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-token-totals-progress',
    select: expression('until', 'int8', 'consensus_timestamp'),
    from: 'from token_total_progress',
  });
  return found?.until ?? null;
}

const portion = selectAll(
  expression('end', 'int8', 'max(consensus_timestamp)').nullable(),
  expression('count', 'int8', 'count(*)'),
);

/** At most `limit` transactions after a time: how many there are, and the time of the last; null = there is none. */
export async function selectNextMoves(
  db: Database,
  after: bigint,
  limit: number,
): Promise<{ end: bigint; count: bigint } | null> {
  const next = `select consensus_timestamp from transaction where consensus_timestamp > $1
  order by consensus_timestamp limit $2`;
  const query = selectQuery({
    name: 'select-next-moves',
    select: portion,
    from: `from (${next}) next`,
    values: [after, limit],
  });
  const [found] = await db.query(query);
  return found && found.end !== null ? { end: found.end, count: found.count } : null;
}

const moved = selectAll(
  expression('tokenId', 'int8', 'token_id'),
  expression('transfers', 'int8', 'count(*)'),
  expression('lastTimestamp', 'int8', 'max(consensus_timestamp)'),
);
export type MovedToken = RowOf<typeof moved>;

/** Tokens that transactions of a time moved, and how many did. */
export function selectMovedTokens(
  db: Database,
  { after, until }: { after: bigint; until: bigint },
): Promise<MovedToken[]> {
  const within = 'consensus_timestamp > $1 and consensus_timestamp <= $2';
  return db.query(
    selectQuery({
      name: 'select-moved-tokens',
      select: moved,
      from: `from (
  select token_id, consensus_timestamp from token_transfer where ${within}
  union
  select (nft->>'token_id')::int8, consensus_timestamp
  from transaction, jsonb_array_elements(case when jsonb_typeof(nft_transfer) = 'array' then nft_transfer end) nft
  where ${within}
) moves where token_id is not null group by 1`,
      values: [after, until],
    }),
  );
}

const due = selectAll(expression('tokenId', 'int8', 'token_id'), expression('lastTimestamp', 'int8', 'last_timestamp'));

/**
 * Tokens that were moved since their holders were counted, the longest waiting first. After a count of many it rests:
 * a millisecond for each account that was looked at.
 */
export function selectTokensToCount(db: Database, now: bigint, limit: number): Promise<RowOf<typeof due>[]> {
  return db.query(
    selectQuery({
      name: 'select-tokens-to-count',
      select: due,
      from: `from token_total where counted_timestamp is distinct from last_timestamp
and (counted_timestamp is null or counted_timestamp < $1 - relations * 1000000) order by last_timestamp limit $2`,
      values: [now, limit],
    }),
  );
}

const held = selectAll(
  expression('relations', 'int8', 'count(*)'),
  expression('holders', 'int8', 'count(*) filter (where balance > 0)'),
);

/** Of at most `most` accounts that are or were associated with it. */
export async function selectHolderCount(db: Database, tokenId: bigint, most: number): Promise<RowOf<typeof held>> {
  const query = selectQuery({
    name: 'select-holder-count',
    select: held,
    from: 'from (select balance from token_account where token_id = $1 limit $2) relations',
    values: [tokenId, most],
  });
  return (await db.query(query))[0]!;
}
