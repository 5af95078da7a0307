// A page of accounts in a distributed database: first their ids, of each type by itself, then all that is wanted of them, which
// lies on the machine of the id.
import { compareBigints } from '../../../kit/compare-bigints.ts';
import type { Database } from '../../wire/database.ts';
import { columns, selectQuery } from '../columns.ts';
import { fromCurrent } from '../select-account.ts';

type Page = {
  name: string;
  shape: string;
  /** As of `pageOfAccounts`. */
  conditions: string;
  order: 'asc' | 'desc';
  limit: number;
  values: unknown[];
};

/** The second of the two statements, without its select list: from the entity `e` and its staking state `s`. */
export async function queryOfIds(db: Database, { name, shape, conditions, order, limit, values }: Page) {
  const ofType = (type: string) =>
    db.query(
      selectQuery({
        name: `${name}-ids`,
        shape: `${type[0]}${shape}`,
        select: columns('entity', ['id']),
        from: `from entity where type = '${type}'${conditions} order by id ${order} limit ${limit}`,
        values,
      }),
    );
  const found = (await Promise.all([ofType('ACCOUNT'), ofType('CONTRACT')])).flat().map(({ id }) => id);
  const ids = found.sort((one, other) => (order === 'asc' ? compareBigints(one, other) : compareBigints(other, one)));
  return {
    name: `${name}-of-ids`,
    shape,
    from: `${fromCurrent} where e.id = any($1::int8[]) order by e.id ${order}`,
    values: [ids.slice(0, limit)],
  };
}
