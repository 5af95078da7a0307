// How a contract came to be: what the transaction that made it gave its constructor, and the transaction that caused that
// one, where a contract was made inside another's call.
import type { Database } from '../wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './columns.ts';

/**
 * The result at the contract's creation, null where none is stored. `parent_…` is about the transaction that caused it,
 * null where it caused itself; `parent_initcode` is creation code that the parent brought along for its own contract.
 */
export type ContractCreationRow = RowOf<typeof creationRow>;

const creationRow = selectAll(
  columns(
    'contract_result',
    ['contract_id', 'function_parameters', 'sender_id', 'transaction_hash', 'transaction_index'],
    'r',
  ).optional(),
  columns('transaction', ['parent_consensus_timestamp'], 't'),
  columns(
    'contract_result',
    {
      parent_contract_id: 'contract_id',
      parent_sender_id: 'sender_id',
      parent_transaction_hash: 'transaction_hash',
      parent_transaction_index: 'transaction_index',
    },
    'p',
  ).optional(),
  columns('contract', { parent_initcode: 'initcode' }, 'c').optional(),
  columns('ethereum_transaction', { parent_call_data: 'call_data' }, 'e').optional(),
  expression(
    'block_number',
    'int8',
    '(select index from record_file where consensus_end >= t.consensus_timestamp order by consensus_end limit 1)',
  ).nullable(),
);

export async function selectContractCreation(
  db: Database,
  createdTimestamp: bigint,
): Promise<ContractCreationRow | null> {
  const query = selectQuery({
    name: 'select-contract-creation',
    select: creationRow,
    from: `from transaction t
left join contract_result r on r.consensus_timestamp = t.consensus_timestamp
left join contract_result p on p.consensus_timestamp = t.parent_consensus_timestamp
left join ethereum_transaction e on e.consensus_timestamp = t.parent_consensus_timestamp
left join contract c on c.id = p.contract_id
where t.consensus_timestamp = $1`,
    values: [createdTimestamp],
  });
  return (await db.query(query))[0] ?? null;
}

const entityKind = columns('entity', ['type', 'evm_address']);

/** Kind and EVM address of an entity; null = there is none. */
export async function selectEntityKind(db: Database, id: bigint): Promise<RowOf<typeof entityKind> | null> {
  const query = selectQuery({
    name: 'select-entity-kind',
    select: entityKind,
    from: 'from entity where id = $1',
    values: [id],
  });
  return (await db.query(query))[0] ?? null;
}
