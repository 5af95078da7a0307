// A page of accounts and contracts by id. Each type is read separately, along the index of type and id: thousands of
// other entities may lie between two of them.

import { compareBigints } from '../../kit/compare-bigints.ts';
import type { Range } from '../../kit/range.ts';
import type { TextCondition } from '../../kit/text-condition.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { ColumnName } from '../../schema/tables.ts';
import { fromCurrent, joinedStaking } from './select-account.ts';
import type { PageFilter } from './select-page.ts';
import { columns, type Selection, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';
import { toTextPart } from './statement/text-part.ts';

export type PageOfAccountsFilter = PageFilter & {
  id: Range;
  /** Tinybar. */
  balance: Range;
  publicKey: readonly TextCondition[];
};

type Query<Row> = {
  name: string;
  /** Identifies the text beside the filter. */
  shape: string;
  /** Of the entity `e`, and of its staking state `s` if that is joined. */
  select: Selection<Row>;
  /** The columns of the entity that `select` names: rows of two parts are merged, and carry no others. */
  reads: readonly ColumnName<'entity'>[];
  /** SQL that begins with ` and`, over columns of `entity`. */
  condition?: string;
  isStakingJoined?: boolean;
};

export async function selectPageOfAccounts<Row>(
  db: Database,
  filter: PageOfAccountsFilter,
  { name, shape: further, select, reads, condition = '', isStakingJoined = false }: Query<Row>,
): Promise<Row[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  const id = toRangePart(filter.id, values);
  const balance = toRangePart(filter.balance, values);
  const publicKey = toTextPart(filter.publicKey, values);
  const conditions = `${condition}${id.sql('id')}${balance.sql('balance')}${publicKey.sql('public_key')}`;
  const shape = `${order}${limit}-${id.code}-${balance.code}-${publicKey.code}-${further}`;
  const fromType = (type: string) =>
    `from entity where type = '${type}'${conditions} order by id ${order} limit ${limit}`;
  const query = db.isDistributed ? await queryOfIds() : queryAtOnce();
  return (await db.query(selectQuery({ ...query, shape, select }))).slice(0, filter.limit);

  function queryAtOnce() {
    const [accounts, contracts] = ['ACCOUNT', 'CONTRACT'].map((type) => `(select ${reads} ${fromType(type)})`);
    const from = `from (
  ${accounts} union all ${contracts} order by id ${order} limit ${limit}
) e${isStakingJoined ? joinedStaking : ''}
order by e.id ${order}`;
    return { name, from, values };
  }

  /** First the ids of each type, then the rows, each of which lies on the machine of its id. */
  async function queryOfIds() {
    const ofType = (type: string) =>
      db.query(
        selectQuery({
          name: `${name}-ids`,
          shape: `${type[0]}${shape}`,
          select: columns('entity', ['id']),
          from: fromType(type),
          values,
        }),
      );
    const found = (await Promise.all([ofType('ACCOUNT'), ofType('CONTRACT')])).flat().map((row) => row.id);
    const ids = found.sort((one, other) => (order === 'asc' ? compareBigints(one, other) : compareBigints(other, one)));
    return {
      name: `${name}-of-ids`,
      from: `${fromCurrent} where e.id = any($1::int8[]) order by e.id ${order}`,
      values: [ids.slice(0, limit)],
    };
  }
}
