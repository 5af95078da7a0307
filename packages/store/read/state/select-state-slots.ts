// Slots of contracts, now or at a time: any number of them in one statement.
import type { Database } from '../../../postgres/wire/database.ts';
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
const isWritten = 'value_written is not null as is_written';
const past = selectAll(
  columns('contract_state_change', ['contract_id', 'slot', 'consensus_timestamp'], 's'),
  expression('value', 'bytea', 's.value'),
  expression('isWritten', 'bool', 's.is_written'),
);
/** The slot as it is stored: with or without leading zeros. */
export type PastSlotRow = RowOf<typeof past>;

type SlotForm = { contractId: bigint; form: Buffer };

/** The newest change up to `until` (ns) of each stored form of each slot. */
export async function selectPastSlots(db: Database, slots: readonly SlotName[], until: bigint): Promise<PastSlotRow[]> {
  let forms = slots.flatMap(({ contractId, slot }) => storedForms(slot).map((form) => ({ contractId, form })));
  const found: PastSlotRow[] = [];
  for (let before = until; forms.length > 0; ) {
    const rows = await selectNewestChanges(db, forms, before);
    const batches = await selectUndoneBatches(db, rows);
    const untrue = rows.filter(({ consensusTimestamp }) => batches.has(consensusTimestamp));
    found.push(...rows.filter(({ consensusTimestamp }) => !batches.has(consensusTimestamp)));
    forms = untrue.map(({ contractId, slot }) => ({ contractId, form: slot }));
    for (const batch of batches.values()) if (batch <= before) before = batch - 1n;
  }
  return found;
}

const undone = columns('transaction', ['consensus_timestamp', 'parent_consensus_timestamp']);

/**
 * What a transaction within a batch read may have been written by another one of that batch. Of such that were undone,
 * the time of their batch by their own.
 */
async function selectUndoneBatches(db: Database, rows: readonly PastSlotRow[]): Promise<Map<bigint, bigint>> {
  const times = rows.flatMap(({ isWritten, consensusTimestamp }) => (isWritten ? [] : consensusTimestamp));
  if (times.length === 0) return new Map();
  const found = await db.query(
    selectQuery({
      name: 'select-undone-in-batches',
      select: undone,
      from: `from transaction where consensus_timestamp = any($1::int8[]) and batch_key is not null and result <> 22`,
      values: [[...new Set(times)]],
    }),
  );
  return new Map(
    found.map(({ consensusTimestamp: at, parentConsensusTimestamp: batch }) => [at, batch === null ? at : batch]),
  );
}

async function selectNewestChanges(db: Database, forms: readonly SlotForm[], until: bigint): Promise<PastSlotRow[]> {
  if (db.isDistributed) return (await Promise.all(forms.map((form) => selectPastSlot(db, form, until)))).flat();
  return db.query(
    selectQuery({
      name: 'select-past-state-slots',
      select: past,
      from: `from unnest((select $1::int8[]), (select $2::bytea[])) a (contract_id, slot)
cross join lateral (
  select contract_id, slot, consensus_timestamp, ${value} as value, ${isWritten} from contract_state_change
  where contract_id = a.contract_id and slot = a.slot and consensus_timestamp <= $3
  order by consensus_timestamp desc limit 1
) s`,
      values: [forms.map(({ contractId }) => contractId), forms.map(({ form }) => form), until],
    }),
  );
}

function selectPastSlot(db: Database, { contractId, form }: SlotForm, until: bigint) {
  return db.query(
    selectQuery({
      name: 'select-past-state-slot',
      select: past,
      from: `from (
  select contract_id, slot, consensus_timestamp, ${value} as value, ${isWritten} from contract_state_change
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
