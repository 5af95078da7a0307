// Contracts with their code, many at once, for the search for their sources.
import type { Database } from '../../postgres/wire/database.ts';

export type ContractCodeRow = {
  contractId: bigint;
  evmAddress: Buffer | null;
  /** null or empty = unknown. */
  runtimeBytecode: Buffer | null;
};

/** In the order of their ids; those that are no contracts are missing. */
export function selectContractCodes(db: Database, ids: readonly bigint[]): Promise<ContractCodeRow[]> {
  return db.query({
    name: 'select-contract-codes',
    reads: true,
    text: `select c.id as contract_id, e.evm_address, c.runtime_bytecode
from contract c left join entity e on e.id = c.id where c.id = any($1::int8[]) order by c.id`,
    values: [ids],
  });
}

/** Up from, or down from an id, without it. */
export async function selectContractIdsFrom(
  db: Database,
  { from, order, limit }: { from: bigint; order: 'asc' | 'desc'; limit: number },
): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>({
    name: 'select-contract-ids-from',
    reads: true,
    shape: order,
    text: `select id from contract where id ${order === 'asc' ? '>' : '<'} $1 order by id ${order} limit $2`,
    values: [from, limit],
  });
  return rows.map(({ id }) => id);
}

/** Those of the ids that have a row in contract_match. */
export async function selectMatchedIds(db: Database, ids: readonly bigint[]): Promise<Set<bigint>> {
  const rows = await db.query<{ contractId: bigint }>({
    name: 'select-matched-contract-ids',
    reads: true,
    text: 'select contract_id from contract_match where contract_id = any($1::int8[])',
    values: [ids],
  });
  return new Set(rows.map(({ contractId }) => contractId));
}

export type AddressedContract = { contractId: bigint; evmAddress: Buffer };

/** Living contracts by EVM address. */
export function selectContractsByAddress(db: Database, addresses: readonly Buffer[]): Promise<AddressedContract[]> {
  return db.query({
    name: 'select-contracts-by-address',
    reads: true,
    text: `select id as contract_id, evm_address from entity
where evm_address = any($1::bytea[]) and type = 'CONTRACT' and deleted is not true`,
    values: [addresses],
  });
}
