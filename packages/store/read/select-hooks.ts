// The hooks of an owner by number, and the storage of one of them, now or within a time range.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { type PageFilter, pageReader } from './select-page.ts';
import { columns, everyColumn, expression, selectAll, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart, toWordRangePart } from './statement/statement-parts.ts';

export const selectHooks = pageReader(
  everyColumn('hook'),
  ['hookId'],
  ({ ownerId, hookId }: { ownerId: bigint; hookId: Range }) => ({
    name: 'select-hooks',
    from: 'hook where owner_id = $1',
    values: [ownerId],
    keys: { hook_id: hookId },
  }),
);

export type HookStorageFilter = PageFilter & {
  ownerId: bigint;
  hookId: bigint;
  /** Keys as numbers, none beyond 32 bytes. */
  key: Range;
  /** Consensus timestamps of changes, ns; null = the current storage. */
  timestamp: Range | null;
};

/**
 * Within a time range: the newest change of each slot. `value`: without leading zeros, empty for a removed slot; null
 * if it was only read.
 */
export async function selectHookStorage(db: Database, filter: HookStorageFilter) {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.ownerId, filter.hookId];
  const key = toWordRangePart(filter.key, values);
  const time = filter.timestamp && toRangePart(filter.timestamp, values);
  const ofHook = `where owner_id = $1 and hook_id = $2${key.sql('key')}`;
  const query = time
    ? {
        name: 'select-hook-storage-changes',
        distinctOn: 'key',
        select: changedSlot,
        from: `from hook_storage_change ${ofHook}${time.sql('consensus_timestamp')}
order by key ${order}, consensus_timestamp desc limit ${limit}`,
      }
    : {
        name: 'select-hook-storage',
        select: slot,
        from: `from hook_storage ${ofHook} and not deleted order by key ${order} limit ${limit}`,
      };
  const shape = `${order}${limit}-${key.code}-${time?.code ?? ''}`;
  return (await db.query(selectQuery({ ...query, shape, values }))).slice(0, filter.limit);
}

const slot = selectAll(
  columns('hook_storage', { key: 'key', timestamp: 'modified_timestamp' }),
  expression('value', 'bytea', 'value').nullable(),
);
const changedSlot = columns('hook_storage_change', {
  key: 'key',
  timestamp: 'consensus_timestamp',
  value: 'value_written',
});
