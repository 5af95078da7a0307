// How a contract came to be: what the transaction that made it gave its constructor, and the transaction that caused that
// one, where a contract was made inside another's call.
import type { Database } from '../wire/database.ts';

export type ContractCreationRow = {
  /** Result at the contract's creation; null = none is stored. */
  contract_id: bigint | null;
  function_parameters: Buffer | null;
  sender_id: bigint | null;
  transaction_hash: Buffer | null;
  transaction_index: number | null;
  /** null = nothing caused it but itself. */
  parent_consensus_timestamp: bigint | null;
  parent_contract_id: bigint | null;
  parent_sender_id: bigint | null;
  parent_transaction_hash: Buffer | null;
  parent_transaction_index: number | null;
  /** Creation code that the parent brought along, for the contract that it makes itself. */
  parent_initcode: Buffer | null;
  parent_call_data: Buffer | null;
  block_number: bigint | null;
};

export async function selectContractCreation(
  db: Database,
  createdTimestamp: bigint,
): Promise<ContractCreationRow | null> {
  const rows = await db.query<ContractCreationRow>({
    name: 'select-contract-creation',
    text: `select r.contract_id, r.function_parameters, r.sender_id, r.transaction_hash, r.transaction_index,
  t.parent_consensus_timestamp, p.contract_id as parent_contract_id, p.sender_id as parent_sender_id,
  p.transaction_hash as parent_transaction_hash, p.transaction_index as parent_transaction_index,
  c.initcode as parent_initcode, e.call_data as parent_call_data,
  (select index from record_file where consensus_end >= t.consensus_timestamp order by consensus_end limit 1) as block_number
from transaction t
left join contract_result r on r.consensus_timestamp = t.consensus_timestamp
left join contract_result p on p.consensus_timestamp = t.parent_consensus_timestamp
left join ethereum_transaction e on e.consensus_timestamp = t.parent_consensus_timestamp
left join contract c on c.id = p.contract_id
where t.consensus_timestamp = $1`,
    values: [createdTimestamp],
  });
  return rows[0] ?? null;
}

/** Kind and EVM address of an entity; null = there is none. */
export async function selectEntityKind(
  db: Database,
  id: bigint,
): Promise<{ type: string; evm_address: Buffer | null } | null> {
  const rows = await db.query<{ type: string; evm_address: Buffer | null }>({
    name: 'select-entity-kind',
    text: 'select type, evm_address from entity where id = $1',
    values: [id],
  });
  return rows[0] ?? null;
}
