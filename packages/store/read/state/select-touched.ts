// Who took part in a transaction, by what was recorded of it: its calls, and the slots that it met.
import type { Database } from '../../../postgres/wire/database.ts';
import { columns, type RowOf, selectQuery } from '../statement/columns.ts';

const party = columns('contract_action', [
  'call_depth',
  'call_operation_type',
  'caller',
  'recipient_account',
  'recipient_address',
  'recipient_contract',
  'result_data_type',
  'value',
]);
export type PartyRow = RowOf<typeof party>;

const slot = columns('contract_state_change', ['contract_id', 'slot', 'value_read', 'value_written']);
export type TouchedSlotRow = RowOf<typeof slot>;

type Place = { consensusTimestamp: bigint; payerAccountId: bigint };

/** By position. */
export function selectParties(
  db: Database,
  { consensusTimestamp, payerAccountId }: Place,
  limit: number,
): Promise<PartyRow[]> {
  return db.query(
    selectQuery({
      name: 'select-parties',
      select: party,
      from: `from contract_action where consensus_timestamp = $1 and payer_account_id = $2
order by index limit $3::int8`,
      values: [consensusTimestamp, payerAccountId, BigInt(limit)],
    }),
  );
}

/** By contract and slot. `written`: only those that got another value. */
export function selectTouchedSlots(
  db: Database,
  at: bigint,
  { written, limit }: { written: boolean; limit: number },
): Promise<TouchedSlotRow[]> {
  const changed = written ? ' and value_written is not null and value_written <> value_read' : '';
  return db.query(
    selectQuery({
      name: 'select-touched-slots',
      shape: written ? 'written' : 'all',
      select: slot,
      from: `from contract_state_change where consensus_timestamp = $1 and migration is false${changed}
order by contract_id, slot limit $2::int8`,
      values: [at, BigInt(limit)],
    }),
  );
}
