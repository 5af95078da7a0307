// The hooks of an owner by their number, and what the storage of one of them holds, now or within a time.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './columns.ts';
import { type Part, toLiteralLimit, toRangePart } from './statement-parts.ts';

export type HookRow = RowOf<typeof hookRow>;
export type HookSlotRow = RowOf<typeof slotRow>;

type Paged = { order: 'asc' | 'desc'; limit: number };

export type HooksFilter = Paged & { ownerId: bigint; hookId: Range };

export async function selectHooks(db: Database, filter: HooksFilter): Promise<HookRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.ownerId];
  const hookId = toRangePart(filter.hookId, values);
  const query = selectQuery({
    name: 'select-hooks',
    shape: `${order}${limit}-${hookId.code}`,
    select: hookRow,
    from: `from hook where owner_id = $1${hookId.sql('hook_id')} order by hook_id ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

export type HookStorageFilter = Paged & {
  ownerId: bigint;
  hookId: bigint;
  /** Of keys as numbers, none beyond 32 bytes. */
  key: Range;
  /** Consensus timestamps of changes, ns; null = what is there now. */
  timestamp: Range | null;
};

export async function selectHookStorage(db: Database, filter: HookStorageFilter): Promise<HookSlotRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.ownerId, filter.hookId];
  const key = toKeyPart(filter.key, values);
  const shape = `${order}${limit}-${key.code}`;
  if (filter.timestamp === null) {
    const query = selectQuery({
      name: 'select-hook-storage',
      shape,
      select: slotRow,
      from: `from hook_storage where owner_id = $1 and hook_id = $2 and not deleted${key.sql('key')}
order by key ${order} limit ${limit}`,
      values,
    });
    return (await db.query(query)).slice(0, filter.limit);
  }
  const time = toRangePart(filter.timestamp, values);
  const query = selectQuery({
    name: 'select-hook-storage-changes',
    shape: `${shape}-${time.code}`,
    distinctOn: 'key',
    select: changedSlotRow,
    from: `from hook_storage_change where owner_id = $1 and hook_id = $2${key.sql('key')}${time.sql('consensus_timestamp')}
order by key ${order}, consensus_timestamp desc limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
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

const hookRow = selectAll(
  columns('hook', [
    'admin_key',
    'contract_id',
    'created_timestamp',
    'deleted',
    'extension_point',
    'hook_id',
    'owner_id',
    'type',
  ]),
  expression('valid_from', 'int8', 'lower(timestamp_range)'),
  expression('valid_to', 'int8', 'upper(timestamp_range)').nullable(),
);

const slotRow = selectAll(
  columns('hook_storage', { key: 'key', timestamp: 'modified_timestamp' }),
  expression('value', 'bytea', 'value').nullable(),
);

const changedSlotRow = columns('hook_storage_change', {
  key: 'key',
  timestamp: 'consensus_timestamp',
  value: 'value_written',
});
