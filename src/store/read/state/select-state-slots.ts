// Slots of contracts, now or at a time: any number of them in one statement.
import type { Database } from '../../wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from '../statement/columns.ts';

export type SlotName = {
  contractId: bigint;
  /** 32 bytes. */
  slot: Buffer;
};

const current = columns('contract_state', ['contract_id', 'slot', 'value'], 's');
/** A slot that was never written has no row, or no value. */
export type StateSlotRow = RowOf<typeof current>;

export function selectStateSlots(db: Database, slots: readonly SlotName[]): Promise<StateSlotRow[]> {
  const values = [slots.map(({ contractId }) => contractId), slots.map(({ slot }) => slot)];
  return db.query(
    selectQuery({
      name: 'select-state-slots',
      select: current,
      // One probe for each, whatever PostgreSQL thinks of the number of slots.
      from: db.isDistributed
        ? 'from contract_state s where s.contract_id = any($1::int8[]) and s.slot = any($2::bytea[])'
        : `from unnest((select $1::int8[]), (select $2::bytea[])) a (contract_id, slot)
cross join lateral (
  select contract_id, slot, value from contract_state where contract_id = a.contract_id and slot = a.slot limit 1
) s`,
      values,
    }),
  );
}

const value = 'coalesce(value_written, value_read)';
const past = selectAll(
  columns('contract_state_change', ['contract_id', 'slot', 'consensus_timestamp'], 's'),
  expression('value', 'bytea', 's.value'),
);
/** The slot as it is stored: with or without leading zeros. */
export type PastSlotRow = RowOf<typeof past>;

/** The newest change up to `until` (ns) of each stored form of each slot. */
export async function selectPastSlots(db: Database, slots: readonly SlotName[], until: bigint): Promise<PastSlotRow[]> {
  const forms = slots.flatMap(({ contractId, slot }) => storedForms(slot).map((form) => ({ contractId, form })));
  if (db.isDistributed) return (await Promise.all(forms.map((form) => selectPastSlot(db, form, until)))).flat();
  return db.query(
    selectQuery({
      name: 'select-past-state-slots',
      select: past,
      from: `from unnest((select $1::int8[]), (select $2::bytea[])) a (contract_id, slot)
cross join lateral (
  select contract_id, slot, consensus_timestamp, ${value} as value from contract_state_change
  where contract_id = a.contract_id and slot = a.slot and consensus_timestamp <= $3
  order by consensus_timestamp desc limit 1
) s`,
      values: [forms.map(({ contractId }) => contractId), forms.map(({ form }) => form), until],
    }),
  );
}

function selectPastSlot(db: Database, { contractId, form }: { contractId: bigint; form: Buffer }, until: bigint) {
  return db.query(
    selectQuery({
      name: 'select-past-state-slot',
      select: past,
      from: `from (
  select contract_id, slot, consensus_timestamp, ${value} as value from contract_state_change
  where contract_id = $1 and slot = $2 and consensus_timestamp <= $3 order by consensus_timestamp desc limit 1
) s`,
      values: [contractId, form, until],
    }),
  );
}

/** Changes store slots without leading zeros (zero also as one byte); some mirror nodes' databases have whole ones. */
function storedForms(slot: Buffer): Buffer[] {
  const first = slot.findIndex((byte) => byte !== 0);
  if (first === 0) return [slot];
  return first < 0 ? [Buffer.alloc(0), Buffer.alloc(1), slot] : [slot.subarray(first), slot];
}
