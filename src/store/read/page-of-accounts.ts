// The accounts and contracts of a page by id, out of all entities: of each type by itself, along the index of type and id,
// because thousands of other entities in a row may lie between two of them.

/** A sub-query. `conditions`: SQL that begins with ` and`, over columns of `entity`. */
export function pageOfAccounts(conditions: string, order: 'asc' | 'desc', limit: number): string {
  const ofType = (type: string) =>
    `(select * from entity where type = '${type}'${conditions} order by id ${order} limit ${limit})`;
  return `(
  select * from (${ofType('ACCOUNT')} union all ${ofType('CONTRACT')}) either order by id ${order} limit ${limit}
)`;
}
