// What the EVM sees of an entity: kind, address, nonce and balance, by its number or its address; and what changes a
// balance.

import type { Database } from '../../postgres/wire/database.ts';
import { isIndexedTransfer, unindexedFeeAccount, unindexedRewardAccount } from '../../schema/unindexed-accounts.ts';
import { accountColumns } from './account-columns.ts';
import { transfersOfEntity } from './compact/entity-moments.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, type SelectQuery, selectQuery } from './statement/columns.ts';
import { latestVersion } from './statement/statement-parts.ts';

export type ChainEntityName = { kind: 'id'; id: bigint } | { kind: 'evmAddress'; address: Buffer };

const ofEntity = [...accountColumns, 'timestamp_range'] as const;
const chainEntity = columns('entity', ofEntity, 'e');
export type ChainEntity = RowOf<typeof chainEntity>;

/** The living one of several with an address, else the newest of the deleted ones. */
export function selectChainEntity(db: Database, name: ChainEntityName): Promise<ChainEntity | null> {
  const isId = name.kind === 'id';
  return selectOne(db, {
    name: `select-chain-entity-by-${name.kind}`,
    select: chainEntity,
    from: isId
      ? 'from entity e where e.id = $1'
      : `from entity e where e.evm_address = $1
order by coalesce(e.deleted, false), e.created_timestamp desc nulls last limit 1`,
    values: [isId ? name.id : name.address],
  });
}

/** Its newest version that began at `upTo` (ns) or before. */
export function selectChainEntityAt(db: Database, id: bigint, upTo: bigint): Promise<ChainEntity | null> {
  return selectOne(db, {
    name: 'select-chain-entity-at',
    select: chainEntity,
    from: `from ${latestVersion('entity', ofEntity, 'id = $1 and lower(timestamp_range) <= $2')} e`,
    values: [id, upTo],
  });
}

/** null = no contract of that number, or its code is unknown. */
export async function selectRuntimeCode(db: Database, id: bigint): Promise<Buffer | null> {
  const select = columns('contract', ['runtime_bytecode']);
  const query = { name: 'select-runtime-code', select, from: 'from contract where id = $1', values: [id] };
  return (await selectOne(db, query))?.runtimeBytecode ?? null;
}

const withInitcode = columns('contract', ['id', 'initcode']).present();

/** What made each contract, of those that no file holds. */
export async function selectInitcodes(db: Database, ids: readonly bigint[]): Promise<Map<bigint, Buffer>> {
  const rows = await selectByIds(db, ids, {
    name: 'select-initcodes',
    select: withInitcode,
    from: 'from contract where id = any($1::int8[]) and initcode is not null',
  });
  return new Map(rows.map(({ id, initcode }) => [id, initcode]));
}

const withAddress = columns('entity', ['id', 'evm_address']).present();

/** Of the entities that have one of their own. */
export async function selectEvmAddresses(db: Database, ids: readonly bigint[]): Promise<Map<bigint, Buffer>> {
  const rows = await selectByIds(db, ids, {
    name: 'select-evm-addresses',
    select: withAddress,
    from: 'from entity where id = any($1::int8[]) and evm_address is not null',
  });
  return new Map(rows.map(({ id, evmAddress }) => [id, evmAddress]));
}

/** `query`: its first value is the list. Without ids nothing is asked. */
async function selectByIds<Row>(db: Database, ids: readonly bigint[], query: SelectQuery<Row>): Promise<Row[]> {
  return ids.length === 0 ? [] : db.query(selectQuery({ ...query, values: [ids] }));
}

/** What an account received after `from` until `to` (ns), less what it gave. */
export async function selectBalanceChange(
  db: Database,
  id: bigint,
  { from, to }: { from: bigint; to: bigint },
): Promise<bigint> {
  // Transfers of the others are found by their times alone.
  const isIndexed = id !== unindexedFeeAccount && id !== unindexedRewardAccount;
  const found = await selectOne(db, {
    name: 'select-balance-change',
    shape: `${isIndexed ? 'indexed' : 'any'}${db.isCompact ? 'c' : ''}`,
    select: expression('change', 'int8', 'coalesce(sum(s.amount), 0)::int8'),
    from: `from ${transfersOfEntity(db, 'crypto_transfer', {
      ...{ entity: '$1::int8', from: '$2::int8', to: '$3::int8', isRow: isIndexed ? ` and ${isIndexedTransfer}` : '' },
    })} s where s.errata is distinct from 'DELETE'`,
    values: [id, from, to],
  });
  return found!.change;
}
