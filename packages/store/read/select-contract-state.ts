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
 * The current state lacks slots that were only read, which count here too. Only the newest change of each slot is
 * processed further, and only rows on the page are looked up.
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
  const bounds: SlotBound[] = [];
  if (byBytes) {
    for (const { operator, slot: bound } of slot.bounds) {
      const [whole, short] = [`${add(operator, bound)}::bytea`, `${add('', cut(bound))}::bytea`];
      bounds.push((key, padded) => `${key} ${operator} case when ${padded} then ${whole} else ${short} end`);
    }
  } else {
    const [least, most] = [slot.from && `${add('f', slot.from)}::bytea`, slot.to && `${add('t', slot.to)}::bytea`];
    if (least) bounds.push((key) => `${key} >= ${least}`);
    if (most) bounds.push((key) => `${key} <= ${most}`);
  }
  const value = `(
    select coalesce(value_written, value_read) from contract_state_change c
    where c.consensus_timestamp = newest.consensus_timestamp and c.contract_id = $1 and c.slot = newest.stored
  )`;
  const changes =
    forms === null && from === null
      ? newestInOrder(within, { byBytes, bounds, order, limit })
      : `select consensus_timestamp, stored${byBytes ? `, ${isPadded}` : ''} from (${forms === null ? newestOfAll(within) : newestOfEach(within, `unnest((select ${forms}::bytea[]))`)}) slots`;
  const select = slotRow('consensus_timestamp', byBytes ? toWord('key') : 'key', value);
  const query = {
    name: 'select-past-contract-state',
    shape,
    select: selectAll(select, expression('key', 'bytea', 'key')),
    from: `(
    select distinct on (key) consensus_timestamp, stored, key
    from (${changes}) changes, lateral (select ${byBytes ? `case when padded then ${toWord('stored')} else ltrim(stored, '\\x00'::bytea) end` : toWord('stored')} as key) keyed
    ${toConditions(bounds, 'where', 'key', 'padded')}
    order by key ${order}, consensus_timestamp desc limit ${limit}
  ) newest`,
    values,
    keys: { key: anyRange },
  };
  return selectPage(db, filter, query, entityOfOne);
}

/** SQL: a condition on a slot in the form in which it is compared; `padded` whether that has leading zeros. */
type SlotBound = (key: string, padded: string) => string;

type SlotsInOrder = { byBytes: boolean; bounds: readonly SlotBound[]; order: 'asc' | 'desc'; limit: number };

/**
 * SQL: the newest change of the first slots in this order, and perhaps of others. Slots of 32 bytes are ordered by the
 * index that begins with contract and slot: one probe of it for each. In between lie the shorter ones, whose order is
 * another one: all of their changes are read, of the others none.
 */
function newestInOrder(within: string, { byBytes, bounds, order, limit }: SlotsInOrder): string {
  const isWhole = `${within} and octet_length(slot) = 32${toConditions(bounds, ' and', 'slot', '(select padded from form)')}`;
  const first = `order by slot ${order}, consensus_timestamp ${order} limit 1`;
  const padded = byBytes ? ', (select padded from form) as padded' : '';
  return `with recursive ${byBytes ? `form (padded) as materialized (select exists (${withLeadingZeros(within)})), ` : ''}whole (slot) as (
      (select slot from contract_state_change where ${isWhole} ${first})
      union all
      select (
        select slot from contract_state_change
        where ${isWhole} and slot ${order === 'asc' ? '>' : '<'} whole.slot ${first}
      ) from whole where whole.slot is not null
    )
    select slots.*${padded} from (${newestOfEach(within, `(select slot from whole where slot is not null limit ${limit})`)}) slots
    union all
    select slots.*${padded} from (${newestOfAll(`${within} and octet_length(slot) <> 32`)}) slots`;
}

/** SQL: any slot of 32 bytes that begins with zeros. */
function withLeadingZeros(within: string): string {
  return `select from contract_state_change
      where ${within} and slot > '\\x00'::bytea and slot < '\\x01'::bytea and octet_length(slot) = 32`;
}

/** SQL: the newest change of each slot. */
function newestOfAll(within: string): string {
  return `select max(consensus_timestamp) as consensus_timestamp, slot as stored from contract_state_change where ${within} group by slot`;
}

/**
 * SQL: the newest change of each of these slots. Each is one probe of the index that begins with contract and slot:
 * ordered by all three of its columns, no other one serves.
 */
function newestOfEach(within: string, slots: string): string {
  return `select newest.* from ${slots} asked (form) cross join lateral (
        select consensus_timestamp, slot as stored from contract_state_change
        where ${within} and slot = asked.form and (contract_id, slot, consensus_timestamp) <= ($1, asked.form, $2)
        order by contract_id desc, slot desc, consensus_timestamp desc limit 1
      ) newest`;
}

function toConditions(bounds: readonly SlotBound[], first: string, key: string, padded: string): string {
  return bounds.length === 0 ? '' : `${first} ${bounds.map((bound) => bound(key, padded)).join(' and ')}`;
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
