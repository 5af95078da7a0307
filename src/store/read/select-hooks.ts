// The hooks of an owner by their number, and what the storage of one of them holds, now or within a time.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, expression, selectAll, selectQuery } from './columns.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { type Part, toLiteralLimit, toRangePart } from './statement-parts.ts';

export type HooksFilter = PageFilter & { ownerId: bigint; hookId: Range };

export function selectHooks(db: Database, { ownerId, hookId, ...page }: HooksFilter) {
  return selectPage(db, page, {
    name: 'select-hooks',
    select: hook,
    from: 'hook where owner_id = $1',
    values: [ownerId],
    keys: { hook_id: hookId },
  });
}

export type HookStorageFilter = PageFilter & {
  ownerId: bigint;
  hookId: bigint;
  /** Of keys as numbers, none beyond 32 bytes. */
  key: Range;
  /** Consensus timestamps of changes, ns; null = what is there now. */
  timestamp: Range | null;
};

/**
 * Of a time the newest change of each slot. `value`: without leading zeros, empty where the slot was taken away; null where it
 * was only read.
 */
export async function selectHookStorage(db: Database, filter: HookStorageFilter) {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.ownerId, filter.hookId];
  const key = toKeyPart(filter.key, values);
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

/** As `toRangePart`, for keys of 32 bytes. */
function toKeyPart({ from, to, equals, notEquals }: Range, values: unknown[]): Part {
  const tests: string[] = [];
  let code = '';
  const add = (letter: string, test: (parameter: string) => string, value: unknown): void => {
    values.push(value);
    tests.push(test(`$${values.length}`));
    code += letter;
  };
  if (from !== null) add('f', (p) => `>= ${p}`, toKey(from));
  if (to !== null) add('t', (p) => `<= ${p}`, toKey(to));
  if (equals.length > 0) add('e', (p) => `= any(${p}::bytea[])`, equals.map(toKey));
  if (notEquals.length > 0) add('n', (p) => `<> all(${p}::bytea[])`, notEquals.map(toKey));
  return { code, sql: (column) => tests.map((test) => ` and ${column} ${test}`).join('') };
}

function toKey(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

const hook = columns('hook', [
  'admin_key',
  'contract_id',
  'created_timestamp',
  'deleted',
  'extension_point',
  'hook_id',
  'owner_id',
  'timestamp_range',
  'type',
]);

const slot = selectAll(
  columns('hook_storage', { key: 'key', timestamp: 'modified_timestamp' }),
  expression('value', 'bytea', 'value').nullable(),
);
const changedSlot = columns('hook_storage_change', {
  key: 'key',
  timestamp: 'consensus_timestamp',
  value: 'value_written',
});
