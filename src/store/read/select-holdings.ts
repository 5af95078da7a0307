// Who is associated with which token: the tokens of an account, with what the token itself says.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectAll, selectQuery } from './columns.ts';
import { addFound } from './distributed/look-up.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';

/** What the token says is null where it is not known. */
export type AccountHoldingRow = RowOf<typeof accountHoldingRow>;

export type AccountHoldingsFilter = { accountId: bigint; token: Range; order: 'asc' | 'desc'; limit: number };

/** By token. */
export async function selectHoldingsOfAccount(
  db: Database,
  filter: AccountHoldingsFilter,
): Promise<AccountHoldingRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.accountId];
  const token = toRangePart(filter.token, values);
  const page = `select * from token_account where account_id = $1 and associated${token.sql('token_id')}
  order by token_id ${order} limit ${limit}`;
  const shape = `${order}${limit}-${token.code}`;
  if (db.isDistributed) {
    const query = {
      name: 'select-holdings-page',
      shape,
      select: heldRow,
      from: `from (
  ${page}
) a order by a.token_id ${order}`,
      values,
    };
    const rows = (await db.query(selectQuery(query))).slice(0, filter.limit);
    return addFound(db, rows, {
      ...{ name: 'find-tokens', table: 'token t', select: tokenOfHolding },
      keys: [['token_id', (row) => row.tokenId]],
    });
  }
  const query = selectQuery({
    name: 'select-holdings-of-account',
    shape,
    select: accountHoldingRow,
    from: `from (
  ${page}
) a
left join lateral (select decimals, freeze_status, kyc_status from token where token_id = a.token_id limit 1) t on true
order by a.token_id ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const heldRow = columns(
  'token_account',
  ['automatic_association', 'balance', 'created_timestamp', 'freeze_status', 'kyc_status', 'token_id'],
  'a',
);
const tokenOfHolding = columns(
  'token',
  { decimals: 'decimals', token_freeze_status: 'freeze_status', token_kyc_status: 'kyc_status' },
  't',
);
const accountHoldingRow = selectAll(heldRow, tokenOfHolding.optional());
