// How a contract was created: the constructor parameters of the creating transaction, and its parent transaction, if a
// contract was created within another's call.
import type { Database } from '../../postgres/wire/database.ts';
import { blockOfResult } from './contract-result-row.ts';
import { foundBy, joinAll } from './joined.ts';
import { selectOne } from './select-one.ts';
import { selectPage } from './select-page.ts';
import { columns, type RowOf } from './statement/columns.ts';

/**
 * The result of the contract's creation, null if none is stored. `parent_…` is about the parent transaction, null
 * without one; `parent_initcode` is creation code that the parent carried for its own contract.
 */
export type ContractCreationRow = RowOf<typeof created> & RowOf<typeof foundOfCreation.select>;

const created = columns('transaction', ['consensus_timestamp', 'parent_consensus_timestamp']);
const ofParent = { consensus_timestamp: 'parent_consensus_timestamp' };
const foundAtOnce = joinAll(
  foundBy({
    name: 'find-creation-result',
    table: 'contract_result',
    alias: 'r',
    select: columns('contract_result', [
      'contract_id',
      'function_parameters',
      'sender_id',
      'transaction_hash',
      'transaction_index',
    ]),
    keys: { consensus_timestamp: 'consensus_timestamp' },
  }),
  foundBy({
    name: 'find-parent-result',
    table: 'contract_result',
    alias: 'p',
    keys: ofParent,
    select: columns('contract_result', {
      parent_contract_id: 'contract_id',
      parent_sender_id: 'sender_id',
      parent_transaction_hash: 'transaction_hash',
      parent_transaction_index: 'transaction_index',
    }),
  }),
  foundBy({
    name: 'find-parent-call-data',
    table: 'ethereum_transaction',
    alias: 'e',
    keys: ofParent,
    select: columns('ethereum_transaction', { parent_call_data: 'call_data' }),
  }),
  blockOfResult,
);
const codeOfParent = foundBy({
  name: 'find-parent-code',
  table: 'contract',
  alias: 'c',
  select: columns('contract', { parent_initcode: 'initcode' }),
  keys: { id: 'p.parent_contract_id' },
});
const foundOfCreation = joinAll(foundAtOnce, codeOfParent);

export async function selectContractCreation(
  db: Database,
  createdTimestamp: bigint,
): Promise<ContractCreationRow | null> {
  const query = {
    name: 'select-contract-creation',
    select: created,
    from: 'transaction where consensus_timestamp = $1',
    values: [createdTimestamp],
    keys: {},
  };
  const add = async (...asked: Parameters<typeof foundAtOnce.add>) => {
    await foundAtOnce.add(...asked);
    await codeOfParent.add?.(...asked);
  };
  return (await selectPage(db, { order: 'asc', limit: 1 }, query, { ...foundOfCreation, add }))[0] ?? null;
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
