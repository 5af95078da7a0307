// A page of current tokens: all of them, or those that an account is associated with; with what is counted of them
// where that is wanted.

import { anyRange, type Range } from '../../kit/range.ts';
import type { TextCondition } from '../../kit/text-condition.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { PageFilter, Wanted } from './select-page.ts';
import { selectTokenTotals, tokenCounts } from './select-token-totals.ts';
import { choosing, columns, everyColumn, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import { alongOwner } from './statement/owner-part.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';
import { toTextPart } from './statement/text-part.ts';

export type TokensFilter = PageFilter & {
  /** null = every token. */
  accountId: bigint | null;
  id: Range;
  /** Parts of the name in any case; all must be there. `%` and `_` stand for any text and any character. */
  names: readonly string[];
  publicKey: readonly TextCondition[];
  /** Labels of token_type. */
  type: readonly TextCondition[];
};

const listedToken = selectAll(
  everyColumn('token', {}, 't'),
  columns('entity', { admin_key: 'key' }, 'e'),
  tokenCounts.nullable(),
);
export type ListedTokenRow = RowOf<typeof listedToken>;
const select = choosing(listedToken, ['tokenId']);

export async function selectTokens<Name extends keyof ListedTokenRow>(
  db: Database,
  filter: TokensFilter & Wanted<Name>,
): Promise<Pick<ListedTokenRow, Name | 'tokenId'>[]> {
  const { accountId, order } = filter;
  const isCounted = filter.members.some((name) => isCount(name));
  if (db.isDistributed && isCounted) return selectCountedTokens(db, filter);
  if (db.isDistributed && accountId !== null) {
    const id = await heldTokens(db, accountId, filter.id);
    return id === null ? [] : selectTokens(db, { ...filter, accountId: null, id });
  }
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  const id = toRangePart(filter.id, values);
  const type = toTextPart(filter.type, values, 'token_type');
  const publicKey = toTextPart(filter.publicKey, values);
  const isNamed = filter.names.length > 0 && accountId === null && filter.publicKey.length === 0 && !db.isDistributed;
  // For a name that it knows PostgreSQL expects so few tokens that it plans the statement each time: twice the time of
  // running it.
  const toName = isNamed ? (value: string) => `(select ${value})` : (value: string) => value;
  const names = filter.names.map((name) => ` and t.name ilike ${toName(`$${values.push(`%${name}%`)}`)}`).join('');
  const key = accountId === null ? 't.token_id' : 'a.token_id';
  const source =
    accountId === null
      ? 'token t'
      : `token_account a join token t on t.token_id = a.token_id and ${alongOwner(db, { owner: 'a.account_id', id: `$${values.push(accountId)}::int8`, column: 'a.token_id' })} and a.associated`;
  const conditions = `true${id.sql(key)}${type.sql('t.type')}${publicKey.sql('e.public_key')}${names}`;
  const query = selectQuery({
    name: 'select-tokens',
    shape: `${order}${limit}-${id.code}-${type.code}-${publicKey.code}-${filter.names.length}${accountId === null ? '' : 'a'}`,
    select: select(filter.members),
    from: isNamed
      ? // Otherwise the entity of every token of that name is looked up, before sorting and limiting.
        `from (select t.token_id from token t where ${conditions} order by ${key} ${order} offset 0) named
join token t on t.token_id = named.token_id
join entity e on e.id = named.token_id${isCounted ? totals : ''}
order by named.token_id ${order} limit ${limit}`
      : `from ${source}
join entity e on e.id = t.token_id${isCounted ? totals : ''}
where ${conditions}
order by ${accountId === null ? '' : `a.account_id ${order}, `}${key} ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const totals = '\nleft join token_total u on u.token_id = t.token_id';
const isCount = (name: string): boolean => name === 'transfers' || name === 'holders';

/** The same in a distributed database, where the totals are on one machine, and the tokens are not. */
async function selectCountedTokens<Name extends keyof ListedTokenRow>(
  db: Database,
  filter: TokensFilter & Wanted<Name>,
): Promise<Pick<ListedTokenRow, Name | 'tokenId'>[]> {
  const members = filter.members.filter((name) => !isCount(name));
  const tokens = await selectTokens(db, { ...filter, members });
  const found = await selectTokenTotals(
    db,
    tokens.map(({ tokenId }) => tokenId),
  );
  const byId = new Map(found.map(({ tokenId, ...counts }) => [tokenId, counts]));
  return tokens.map((token) => ({ transfers: null, holders: null, ...token, ...byId.get(token.tokenId) }));
}

/** The tokens of the range that the account is associated with, in a distributed database; null = none. */
async function heldTokens(db: Database, accountId: bigint, range: Range): Promise<Range | null> {
  const values: unknown[] = [accountId];
  const id = toRangePart(range, values);
  const query = selectQuery({
    name: 'select-tokens-held',
    shape: id.code,
    select: columns('token_account', ['token_id']),
    from: `from token_account where account_id = $1 and associated${id.sql('token_id')}`,
    values,
  });
  const equals = (await db.query(query)).map(({ tokenId }) => tokenId);
  return equals.length === 0 ? null : { ...anyRange, equals };
}
