// How a contract came to be: what the transaction that made it gave its constructor, and the transaction that caused that
// one, where a contract was made inside another's call.
import type { Database } from '../wire/database.ts';
import { addFound } from './distributed/look-up.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/**
 * The result at the contract's creation, null where none is stored. `parent_…` is about the transaction that caused it,
 * null where it caused itself; `parent_initcode` is creation code that the parent brought along for its own contract.
 */
export type ContractCreationRow = RowOf<typeof creationRow>;

const resultOfCreation = columns(
  'contract_result',
  ['contract_id', 'function_parameters', 'sender_id', 'transaction_hash', 'transaction_index'],
  'r',
);
const parentOfCreation = columns(
  'contract_result',
  {
    parent_contract_id: 'contract_id',
    parent_sender_id: 'sender_id',
    parent_transaction_hash: 'transaction_hash',
    parent_transaction_index: 'transaction_index',
  },
  'p',
);
const codeOfParent = columns('contract', { parent_initcode: 'initcode' }, 'c');
const callDataOfCreation = columns('ethereum_transaction', { parent_call_data: 'call_data' }, 'e');
const blockOfCreation = expression(
  'block_number',
  'int8',
  '(select index from record_file where consensus_end >= t.consensus_timestamp order by consensus_end limit 1)',
).nullable();
const creationRow = selectAll(
  resultOfCreation.optional(),
  columns('transaction', ['parent_consensus_timestamp'], 't'),
  parentOfCreation.optional(),
  codeOfParent.optional(),
  callDataOfCreation.optional(),
  blockOfCreation,
);

export function selectContractCreation(db: Database, createdTimestamp: bigint): Promise<ContractCreationRow | null> {
  if (db.isDistributed) return selectFromMachines(db, createdTimestamp);
  return selectOne(db, {
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
}

async function selectFromMachines(db: Database, createdTimestamp: bigint): Promise<ContractCreationRow | null> {
  const created = selectQuery({
    name: 'select-creation',
    select: columns('transaction', ['parent_consensus_timestamp'], 't'),
    from: 'from transaction t where t.consensus_timestamp = $1',
    values: [createdTimestamp],
  });
  const block = selectQuery({
    name: 'select-block-of-time',
    select: columns('record_file', { block_number: 'index' }),
    from: 'from record_file where consensus_end >= $1 order by consensus_end limit 1',
    values: [createdTimestamp],
  });
  const [rows, blocks] = await Promise.all([db.query(created), db.query(block)]);
  const found = rows.map((row) => ({ ...row, blockNumber: blocks[0]?.blockNumber ?? null }));
  const own = await addFound(db, found, {
    ...{ name: 'find-creation-result', table: 'contract_result r', select: resultOfCreation },
    keys: [['consensus_timestamp', () => createdTimestamp]],
  });
  const parentOf = (row: { parentConsensusTimestamp: bigint | null }) => row.parentConsensusTimestamp;
  const withParents = await addFound(db, own, {
    ...{ name: 'find-parent-result', table: 'contract_result p', select: parentOfCreation },
    keys: [['consensus_timestamp', parentOf]],
  });
  const withCallData = await addFound(db, withParents, {
    ...{ name: 'find-parent-call-data', table: 'ethereum_transaction e', select: callDataOfCreation },
    keys: [['consensus_timestamp', parentOf]],
  });
  const whole = await addFound(db, withCallData, {
    ...{ name: 'find-parent-code', table: 'contract c', select: codeOfParent },
    keys: [['id', (row) => row.parentContractId]],
  });
  return whole[0] ?? null;
}

const entityKind = columns('entity', ['type', 'evm_address']);

/** Kind and EVM address of an entity; null = there is none. */
export function selectEntityKind(db: Database, id: bigint): Promise<RowOf<typeof entityKind> | null> {
  return selectOne(db, {
    name: 'select-entity-kind',
    select: entityKind,
    from: 'from entity where id = $1',
    values: [id],
  });
}
