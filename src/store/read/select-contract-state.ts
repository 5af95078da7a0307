// A page of a contract's storage, by slot: as it is, or as it was at a time. Both are ordered by the slot's number.
import type { Database } from '../wire/database.ts';
import { columnsOf, expression, type RowOf, selectAll, selectQuery } from './columns.ts';
import { entityOfResult, joinEntity } from './contract-result-row.ts';
import { toLiteralLimit } from './statement-parts.ts';

export type ContractSlotRow = RowOf<typeof slotRow>;

/** Slots as 32 bytes. */
export type SlotFilter = {
  /** Any of them; empty = all. */
  equals: readonly Buffer[];
  /** Inclusive. */
  from: Buffer | null;
  to: Buffer | null;
};

export type ContractStateFilter = {
  contractId: bigint;
  slot: SlotFilter;
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectContractState(db: Database, filter: ContractStateFilter): Promise<ContractSlotRow[]> {
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.contractId];
  const { code, sql } = toBoundsPart('slot', filter.slot, values);
  let equals = '';
  if (filter.slot.equals.length > 0) {
    values.push(filter.slot.equals);
    equals = ` and slot = any($${values.length}::bytea[])`;
  }
  return selectSlots(db, filter, {
    name: 'select-contract-state',
    shape: `${filter.order}${limit}-${code}${equals && 'e'}`,
    page: `select modified_timestamp as consensus_timestamp, slot, value from contract_state
  where contract_id = $1${sql}${equals} order by slot ${filter.order} limit ${limit}`,
    values,
  });
}

export type PastContractStateFilter = ContractStateFilter & {
  /** Inclusive, ns; the newest change between them counts. */
  changed: { from: bigint | null; to: bigint };
};

export async function selectPastContractState(
  db: Database,
  filter: PastContractStateFilter,
): Promise<ContractSlotRow[]> {
  const { changed, order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.contractId, changed.to];
  const { code, sql } = toBoundsPart(paddedSlot, filter.slot, values);
  let conditions = sql;
  let shape = `${order}${limit}-${code}`;
  if (changed.from !== null) {
    values.push(changed.from);
    conditions += ` and consensus_timestamp >= $${values.length}`;
    shape += 's';
  }
  if (filter.slot.equals.length > 0) {
    values.push(filter.slot.equals.flatMap(toStoredForms));
    conditions += ` and slot = any($${values.length}::bytea[])`;
    shape += 'e';
  }
  return selectSlots(db, filter, {
    name: 'select-past-contract-state',
    shape,
    page: `select distinct on (padded) consensus_timestamp, ${paddedSlot} as slot, coalesce(value_written, value_read) as value,
    ${paddedSlot} as padded
  from contract_state_change where contract_id = $1 and consensus_timestamp <= $2${conditions}
  order by padded ${order}, consensus_timestamp desc limit ${limit}`,
    values,
  });
}

type SlotPage = { name: string; shape: string; page: string; values: unknown[] };

/** `page`: consensus_timestamp, slot and value; `$1` is the contract. */
async function selectSlots(
  db: Database,
  { order, limit }: ContractStateFilter,
  { name, shape, page, values }: SlotPage,
): Promise<ContractSlotRow[]> {
  const query = selectQuery({
    name,
    shape,
    tables: `page as (
  ${page}
)`,
    select: slotRow,
    from: `from page ${joinEntity('$1')} order by page.slot ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, limit);
}

/** Changes keep slots without their leading zeros, or with them. */
const paddedSlot = `decode(lpad(encode(slot, 'hex'), 64, '0'), 'hex')`;

/** How changes may keep a slot: cut, of zero also one byte; or whole. */
function toStoredForms(slot: Buffer): Buffer[] {
  const first = slot.findIndex((byte) => byte !== 0);
  return first < 0 ? [Buffer.alloc(0), Buffer.alloc(1), slot] : [slot.subarray(first), slot];
}

function toBoundsPart(column: string, { from, to }: SlotFilter, values: unknown[]): { code: string; sql: string } {
  let sql = '';
  let code = '';
  if (from !== null) {
    values.push(from);
    sql += ` and ${column} >= $${values.length}::bytea`;
    code += 'f';
  }
  if (to !== null) {
    values.push(to);
    sql += ` and ${column} <= $${values.length}::bytea`;
    code += 't';
  }
  return { code, sql };
}

const slotRow = selectAll(
  expression('consensus_timestamp', 'int8', 'page.consensus_timestamp'),
  expression('slot', 'bytea', 'page.slot'),
  expression('value', 'bytea', 'page.value').nullable(),
  columnsOf(entityOfResult, 'e').optional(),
);
