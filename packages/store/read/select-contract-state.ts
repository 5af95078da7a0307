// A page of a contract's storage, by slot: now, or at a time. Both are ordered by the slot's number.

import { anyRange } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { entityOfOne } from './contract-result-row.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';
import { toLiteralLimit } from './statement/statement-parts.ts';

export type ContractSlotRow = RowOf<ReturnType<typeof slotRow>> & RowOf<typeof entityOfOne.select>;

/** Slots as 32 bytes. */
export type SlotFilter = {
  /** Any of them; empty = all. */
  equals: readonly Buffer[];
  /** Inclusive. */
  from: Buffer | null;
  to: Buffer | null;
};

export type ContractStateFilter = PageFilter & { contractId: bigint; slot: SlotFilter };

export function selectContractState(
  db: Database,
  { contractId, slot, ...page }: ContractStateFilter,
): Promise<ContractSlotRow[]> {
  const values: unknown[] = [contractId];
  const { code, sql } = toBoundsPart(slot, values);
  const equals = slot.equals.length > 0 ? ` and slot = any($${values.push(slot.equals)}::bytea[])` : '';
  const query = {
    name: 'select-contract-state',
    shape: `${code}${equals && 'e'}`,
    select: slotRow('modified_timestamp', 'slot', 'value'),
    from: `contract_state where contract_id = $1${sql}${equals}`,
    values,
    keys: { slot: anyRange },
  };
  return selectPage(db, page, query, entityOfOne);
}

/**
 * Conditions on slots that compare byte by byte as stored, without leading zeros: 0x0200 sorts before 0x03, and after
 * 0x01ff00.
 */
export type SlotsByBytes = {
  /** Any of them, as 32 bytes; empty = all. */
  equals: readonly Buffer[];
  /** As 32 bytes. */
  bounds: readonly { operator: '<' | '<=' | '>' | '>='; slot: Buffer }[];
};

export type PastContractStateFilter = Omit<ContractStateFilter, 'slot'> & {
  slot: SlotFilter | SlotsByBytes;
  /** Inclusive, ns; the newest change between them counts. */
  changed: { from: bigint | null; to: bigint };
};

/**
 * Changes store slots with or without leading zeros: all are compared in one of the two forms, which gives one order.
 * No index leads from a slot to its changes, so all changes of the contract in that time are read: the current state
 * lacks slots that were only read, which count here too. But only the newest change of each slot is processed further,
 * and only rows on the page are looked up.
 */
export function selectPastContractState(db: Database, filter: PastContractStateFilter): Promise<ContractSlotRow[]> {
  const { changed, order, slot } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.contractId, changed.to];
  let shape = '';
  const add = (letter: string, value: unknown): string => {
    shape += letter;
    return `$${values.push(value)}`;
  };
  const from = changed.from === null ? null : add('s', changed.from);
  const within = `contract_id = $1 and consensus_timestamp <= $2${from === null ? '' : ` and consensus_timestamp >= ${from}`}`;
  const forms = slot.equals.length > 0 ? add('e', slot.equals.flatMap(toStoredForms)) : null;
  const byBytes = 'bounds' in slot;
  if (byBytes) shape += 'b';
  const bounds: string[] = [];
  if (byBytes) {
    for (const { operator, slot: bound } of slot.bounds) {
      const form = `case when padded then ${add(operator, bound)}::bytea else ${add('', cut(bound))}::bytea end`;
      bounds.push(`key ${operator} ${form}`);
    }
  } else {
    if (slot.from !== null) bounds.push(`key >= ${add('f', slot.from)}::bytea`);
    if (slot.to !== null) bounds.push(`key <= ${add('t', slot.to)}::bytea`);
  }
  const value = `(
    select coalesce(value_written, value_read) from contract_state_change c
    where c.consensus_timestamp = newest.consensus_timestamp and c.contract_id = $1 and c.slot = newest.stored
  )`;
  const select = slotRow('consensus_timestamp', byBytes ? toWord('key') : 'key', value);
  const query = {
    name: 'select-past-contract-state',
    shape,
    select: selectAll(select, expression('key', 'bytea', 'key')),
    from: `(
    select distinct on (key) consensus_timestamp, stored, key
    from (
      select consensus_timestamp, stored${byBytes ? `, ${isPadded}` : ''} from (${newestOfSlots(within, forms)}) slots
    ) changes, lateral (select ${byBytes ? `case when padded then ${toWord('stored')} else ltrim(stored, '\\x00'::bytea) end` : toWord('stored')} as key) keyed
    ${bounds.length > 0 ? `where ${bounds.join(' and ')}` : ''}
    order by key ${order}, consensus_timestamp desc limit ${limit}
  ) newest`,
    values,
    keys: { key: anyRange },
  };
  return selectPage(db, filter, query, entityOfOne);
}

/**
 * SQL: the newest change of each slot, or of each of these forms. A form is one probe of the index that begins with
 * contract and slot: ordered by all three of its columns, no other one serves.
 */
function newestOfSlots(within: string, forms: string | null): string {
  if (forms === null) {
    return `select max(consensus_timestamp) as consensus_timestamp, slot as stored from contract_state_change where ${within} group by slot`;
  }
  return `select newest.* from unnest((select ${forms}::bytea[])) asked (form) cross join lateral (
        select consensus_timestamp, slot as stored from contract_state_change
        where ${within} and slot = asked.form and (contract_id, slot, consensus_timestamp) <= ($1, asked.form, $2)
        order by contract_id desc, slot desc, consensus_timestamp desc limit 1
      ) newest`;
}

/** SQL: whether any of the slots is stored with leading zeros. Then all are compared with them. */
const isPadded = `bool_or(octet_length(stored) = 32 and stored < '\\x01'::bytea) over () as padded`;

/** SQL: with leading zeros. */
function toWord(stored: string): string {
  const zeros = `'\\x${'00'.repeat(32)}'::bytea`;
  return `case when octet_length(${stored}) < 32 then substring(${zeros} || ${stored} from octet_length(${stored}) + 1) else ${stored} end`;
}

function cut(slot: Buffer): Buffer {
  const first = slot.findIndex((byte) => byte !== 0);
  return first < 0 ? Buffer.alloc(0) : slot.subarray(first);
}

/** The forms in which changes may store a slot: trimmed (zero also as one byte), or whole. */
function toStoredForms(slot: Buffer): Buffer[] {
  const digits = cut(slot);
  return digits.length === 0 ? [digits, Buffer.alloc(1), slot] : [digits, slot];
}

function toBoundsPart({ from, to }: SlotFilter, values: unknown[]): { code: string; sql: string } {
  let sql = '';
  let code = '';
  if (from !== null) {
    values.push(from);
    sql += ` and slot >= $${values.length}::bytea`;
    code += 'f';
  }
  if (to !== null) {
    values.push(to);
    sql += ` and slot <= $${values.length}::bytea`;
    code += 't';
  }
  return { code, sql };
}

function slotRow(timestamp: string, slot: string, value: string) {
  return selectAll(
    expression('contract_id', 'int8', '$1::int8'),
    // When the value was written or, in the past, read; ns.
    expression('timestamp', 'int8', timestamp),
    expression('slot', 'bytea', slot),
    expression('value', 'bytea', value).nullable(),
  );
}
