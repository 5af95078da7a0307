// Balance snapshots: the first of a month holds every account, later ones only those that changed, and the treasury is
// in each of them.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, selectAll, selectQuery } from './statement/columns.ts';
import { alongOwner } from './statement/owner-part.ts';
import { atRun } from './statement/statement-parts.ts';
import { readTokenBalances, tokenBalances } from './token-balances.ts';

/** The newest snapshot between two times, both inclusive, ns; the treasury has a row in each. */
export type SnapshotSearch = {
  treasuryId: bigint;
  from: bigint;
  to: bigint;
  notEquals: readonly bigint[];
  /** Whole months with all rows of such snapshots; `to` exclusive. */
  months: { from: bigint; to: bigint };
};

/** Its consensus timestamp. */
export async function selectSnapshotTimestamp(db: Database, search: SnapshotSearch): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-snapshot-timestamp',
    select: columns('account_balance', ['consensus_timestamp']),
    from: `from account_balance
where account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3 and consensus_timestamp <> all($4)
order by consensus_timestamp desc limit 1`,
    values: [search.treasuryId, search.from, search.to, search.notEquals],
  });
  return found?.consensusTimestamp ?? null;
}

/**
 * The search as part of a statement: `at` and `start` of the `snapshot`. Only partitions of its months are opened:
 * tables of the Hiero mirror node have one for each month. `within`: SQL, conditions on the times of a table of
 * balances; `name`: what has `at` and `start`.
 */
export function toSnapshotPart({ treasuryId, from, to, notEquals, months }: SnapshotSearch, values: unknown[]) {
  const [treasury, first, last] = [treasuryId, from, to].map((value) => `$${values.push(value)}::int8`);
  const [start, end] = [months.from, months.to].map((value) => atRun(`$${values.push(value)}`));
  const ofMonths = `consensus_timestamp >= ${start} and consensus_timestamp < ${end}`;
  const isOther = notEquals.length > 0 && ` and consensus_timestamp <> all($${values.push(notEquals)}::int8[])`;
  return {
    code: isOther ? 'n' : '',
    sql: `(
  select at, (extract(epoch from date_trunc('month', to_timestamp(at / 1000000000) at time zone 'UTC')) * 1000000000)::int8 as start
  from (
    select account_id, consensus_timestamp as at from account_balance
    where (account_id, consensus_timestamp) <= (${treasury}, ${last}) and ${ofMonths}${isOther || ''}
    order by account_id desc, consensus_timestamp desc limit 1
  ) newest where account_id = ${treasury} and at >= ${first} offset 0
) snapshot`,
    within: (name: string) =>
      `${ofMonths} and consensus_timestamp >= ${name}.start and consensus_timestamp <= ${name}.at`,
  };
}

/** Both inclusive; ns. */
export type Snapshot = { from: bigint; at: bigint };

const withinSnapshot = 'account_id = $1 and consensus_timestamp >= $2 and consensus_timestamp <= $3';

/** Of the account `$1`. In a cluster the table is not distributed. */
const tokensOfAccount = alongOwner(
  { isDistributed: false },
  { owner: 'account_id', id: '$1::int8', column: 'token_id' },
);
const byToken = 'order by account_id, token_id, consensus_timestamp desc';

/** The account's latest balance in the snapshots; null when it is in none of them. */
export async function selectSnapshotBalance(
  db: Database,
  accountId: bigint,
  snapshot: Snapshot,
): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-snapshot-balance',
    select: columns('account_balance', ['balance']),
    from: `from account_balance where ${withinSnapshot} order by consensus_timestamp desc limit 1`,
    values: [accountId, snapshot.from, snapshot.at],
  });
  return found?.balance ?? null;
}

/** The account's latest balance of each token in the snapshots, ascending by token, at most `limit`. */
export function selectSnapshotTokens(db: Database, accountId: bigint, snapshot: Snapshot, limit: number) {
  return db.query(
    selectQuery({
      name: 'select-snapshot-tokens',
      shape: `${limit}`,
      distinctOn: 'account_id, token_id',
      select: columns('token_balance', ['token_id', 'balance']),
      from: `from token_balance where ${tokensOfAccount} and consensus_timestamp >= $2 and consensus_timestamp <= $3
${byToken} limit ${limit}`,
      values: [accountId, snapshot.from, snapshot.at],
    }),
  );
}

/**
 * The account's balances in the newest snapshot of the search. null = no such snapshot; a balance of null = it has no
 * row there.
 */
export async function selectAccountInSnapshot(
  db: Database,
  accountId: bigint,
  search: SnapshotSearch,
  tokenLimit: number,
) {
  const values: unknown[] = [accountId];
  const { code, sql, within } = toSnapshotPart(search, values);
  const isWithin = within('snapshot');
  const found = await selectOne(db, {
    name: 'select-account-in-snapshot',
    shape: `${code}-${tokenLimit}`,
    select: selectAll(
      columns('account_balance', ['balance'], 'held').nullable(),
      expression('timestamp', 'int8', 'snapshot.at'),
      tokenBalances(
        `select distinct on (account_id, token_id) token_id, balance from token_balance where ${tokensOfAccount} and ${isWithin}
    ${byToken} limit ${tokenLimit}`,
        'asc',
      ),
    ),
    from: `from ${sql}
left join lateral (
  select balance from account_balance where account_id = $1 and ${isWithin} order by consensus_timestamp desc limit 1
) held on true`,
    values,
  });
  return found && { ...found, tokens: readTokenBalances(found.tokens) };
}
