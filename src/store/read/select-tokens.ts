// A page of tokens as they are now: all of them, or those that an account is associated with.
import type { Range } from '../../kit/range.ts';
import type { TextCondition } from '../../kit/text-condition.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectAll, selectQuery } from './columns.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';
import { toTextPart } from './text-part.ts';

export type ListedTokenRow = RowOf<typeof listedTokenRow>;

export type TokensFilter = {
  /** null = every token. */
  accountId: bigint | null;
  id: Range;
  /** Parts of the name in any case; all must be there. `%` and `_` stand for any text and any character. */
  names: readonly string[];
  publicKey: readonly TextCondition[];
  /** Labels of token_type. */
  type: readonly TextCondition[];
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectTokens(db: Database, filter: TokensFilter): Promise<ListedTokenRow[]> {
  const { accountId, order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  const id = toRangePart(filter.id, values);
  const type = toTextPart(filter.type, values, 'token_type');
  const publicKey = toTextPart(filter.publicKey, values);
  const names = filter.names.map((name) => ` and t.name ilike $${values.push(`%${name}%`)}`).join('');
  const key = accountId === null ? 't.token_id' : 'a.token_id';
  const source =
    accountId === null
      ? 'token t'
      : `token_account a join token t on t.token_id = a.token_id and a.account_id = $${values.push(accountId)} and a.associated`;
  const query = selectQuery({
    name: 'select-tokens',
    shape: `${order}${limit}-${id.code}-${type.code}-${publicKey.code}-${filter.names.length}${accountId === null ? '' : 'a'}`,
    select: listedTokenRow,
    from: `from ${source}
join entity e on e.id = t.token_id
where true${id.sql(key)}${type.sql('t.type')}${publicKey.sql('e.public_key')}${names}
order by ${key} ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const listedTokenRow = selectAll(
  columns('token', ['decimals', 'metadata', 'name', 'symbol', 'token_id', 'type'], 't'),
  columns('entity', { admin_key: 'key' }, 'e'),
);
