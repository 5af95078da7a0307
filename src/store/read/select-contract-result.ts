// One contract result with all that its transaction left behind. First when it was, by hash or transaction id, then
// everything by that time: rows of contracts without a known id are found as well.
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { Database } from '../wire/database.ts';
import { columns, columnsOf, type Replace, type RowOf, selectAll, selectQuery } from './columns.ts';
import {
  blockOfResult,
  type ContractResultRow,
  entityOfResult,
  ethereumOfResult,
  joinEntity,
  joinToResults,
  resultColumns,
  withParsedLists,
} from './contract-result-row.ts';
import { addEntities, addToResults } from './distributed/find-of-results.ts';

/** The payer too: a list of actions has those of its own payer only. */
export type ExecutionRow = RowOf<typeof executionColumns>;

const executionColumns = columns('transaction', ['consensus_timestamp', 'payer_account_id']);

/** Of several the newest, but one that succeeded before all others. */
const newestSuccessFirst = (resultColumn: string) =>
  `order by (${resultColumn} = ${responseCode.SUCCESS}) desc, consensus_timestamp desc limit 1`;

/** `hash`: 32 bytes. */
export async function selectExecutionByHash(db: Database, hash: Buffer): Promise<ExecutionRow | null> {
  const query = selectQuery({
    name: 'select-execution-by-hash',
    select: executionColumns,
    from: `from contract_transaction_hash where hash = $1 ${newestSuccessFirst('transaction_result')}`,
    values: [hash],
  });
  return (await db.query(query))[0] ?? null;
}

export type TransactionKey = {
  payerAccountId: bigint;
  /** ns */
  validStart: bigint;
  nonce: bigint;
  /** Latest consensus timestamp, ns. */
  latest: bigint;
};

export async function selectExecutionById(db: Database, key: TransactionKey): Promise<ExecutionRow | null> {
  const query = selectQuery({
    name: 'select-execution-by-id',
    select: executionColumns,
    from: `from transaction
where payer_account_id = $1 and valid_start_ns = $2 and nonce = $3::int8
  and consensus_timestamp >= $2 and consensus_timestamp <= $4 ${newestSuccessFirst('result')}`,
    values: [key.payerAccountId, key.validStart, key.nonce, key.latest],
  });
  return (await db.query(query))[0] ?? null;
}

export type ContractResultDetailRow = Replace<
  RowOf<typeof detailedResult>,
  Pick<ContractResultRow, 'accessList' | 'authorizationList'>
>;

/** `contractId`: of a contract or account that took part; null = whoever did. */
export async function selectContractResult(
  db: Database,
  timestamp: bigint,
  contractId: bigint | null,
): Promise<ContractResultDetailRow | null> {
  if (db.isDistributed) return selectFromMachines(db, timestamp, contractId);
  const party =
    contractId === null
      ? ''
      : ' and exists (select from contract_transaction where consensus_timestamp = $1 and entity_id = $2)';
  const query = selectQuery({
    name: 'select-contract-result',
    shape: contractId === null ? 'any' : 'party',
    tables: `page as (
  select ${resultColumns.sql}, r.payer_account_id from contract_result r where r.consensus_timestamp = $1${party} limit 1
)`,
    select: detailedResult,
    from: `from page
${joinToResults(detailedEthereum)}`,
    values: contractId === null ? [timestamp] : [timestamp, contractId],
  });
  const row = (await db.query(query))[0];
  return row ? withParsedLists(row) : null;
}

async function selectFromMachines(
  db: Database,
  timestamp: bigint,
  contractId: bigint | null,
): Promise<ContractResultDetailRow | null> {
  if (contractId !== null) {
    const party = selectQuery({
      name: 'select-party',
      select: columns('contract_transaction', ['entity_id']),
      from: 'from contract_transaction where consensus_timestamp = $1 and entity_id = $2',
      values: [timestamp, contractId],
    });
    if ((await db.query(party)).length === 0) return null;
  }
  const query = selectQuery({
    name: 'select-result-page',
    select: selectAll(resultColumns, columns('contract_result', ['payer_account_id'], 'r')),
    from: 'from contract_result r where r.consensus_timestamp = $1 limit 1',
    values: [timestamp],
  });
  const [row] = await addToResults(db, await db.query(query), {
    name: 'find-detailed-ethereum',
    select: detailedEthereum,
  });
  return row ? withParsedLists(row) : null;
}

const detailedEthereum = selectAll(
  ethereumOfResult,
  columns('ethereum_transaction', { call_data: 'call_data', call_data_id: 'call_data_id', eth_gas_limit: 'gas_limit' }),
);
const detailedResult = selectAll(
  columnsOf(resultColumns, 'page'),
  columnsOf(entityOfResult, 'e').optional(),
  columnsOf(detailedEthereum, 't').optional(),
  columnsOf(blockOfResult, 'b').optional(),
);

export type StateChangeRow = RowOf<typeof stateChangeRow>;

/** By contract and slot. What a migration wrote down counts only for `contractId`. */
export async function selectStateChanges(
  db: Database,
  timestamp: bigint,
  contractId: bigint | null,
): Promise<StateChangeRow[]> {
  const entity = db.isDistributed ? '' : `\n${joinEntity('s.contract_id')}`;
  const query = {
    name: 'select-state-changes',
    from: `from contract_state_change s${entity}
where s.consensus_timestamp = $1 and (s.migration is false or s.contract_id = $2)
order by s.contract_id, s.slot`,
    values: [timestamp, contractId],
  };
  return db.isDistributed
    ? addEntities(db, await db.query(selectQuery({ ...query, select: changedSlot })))
    : db.query(selectQuery({ ...query, select: stateChangeRow }));
}

const changedSlot = columns('contract_state_change', ['contract_id', 'slot', 'value_read', 'value_written'], 's');
const stateChangeRow = selectAll(changedSlot, columnsOf(entityOfResult, 'e').optional());
