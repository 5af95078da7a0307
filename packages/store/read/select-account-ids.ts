// Which entities that are not deleted have an EVM address or an alias. At most two are returned: two means ambiguous.
import type { Database } from '../../postgres/wire/database.ts';
import { columns, selectQuery } from './statement/columns.ts';

export type AccountName = { kind: 'evmAddress'; address: Buffer } | { kind: 'alias'; alias: Buffer };

export async function selectAccountIds(db: Database, name: AccountName): Promise<bigint[]> {
  const { condition, value } = toNameCondition(name);
  const rows = await db.query(
    selectQuery({
      name: `select-ids-by-${name.kind}`,
      select: columns('entity', ['id']),
      from: `from entity e where ${condition} limit 2`,
      values: [value],
    }),
  );
  return rows.map((row) => row.id);
}

/** SQL over the entity `e`, with `$1` for the value. */
export function toNameCondition(name: AccountName): { condition: string; value: Buffer } {
  // An entity with an unknown `deleted` counts as deleted by its address, but not by its alias: clients rely on both.
  return name.kind === 'alias'
    ? { condition: 'e.alias = $1 and coalesce(e.deleted, false) <> true', value: name.alias }
    : { condition: 'e.evm_address = $1 and e.deleted <> true', value: name.address };
}
