// One contract result with everything about its transaction. First its timestamp, by hash or transaction id, then all rows
// with that timestamp: rows of contracts without a known id are found as well.
import { anyRange } from '../../kit/range.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { Database } from '../wire/database.ts';
import {
  blockOfResult,
  entityOfResult,
  ethereumColumns,
  ethereumOfResult,
  pagedResult,
  type WithLists,
  withParsedLists,
} from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { selectOne } from './select-one.ts';
import { allRows, selectPage } from './select-page.ts';
import { columns, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** Timestamp, ns, and payer: a list of actions has only those of its payer. */
export type Execution = RowOf<typeof executionColumns>;

const executionColumns = columns('transaction', ['consensus_timestamp', 'payer_account_id']);

/** The newest of several, but successful ones first. */
const newestSuccessFirst = (resultColumn: string) =>
  `order by (${resultColumn} = ${responseCode.SUCCESS}) desc, consensus_timestamp desc limit 1`;

/** `hash`: 32 bytes. */
export function selectExecutionByHash(db: Database, hash: Buffer): Promise<Execution | null> {
  return selectOne(db, {
    name: 'select-execution-by-hash',
    select: executionColumns,
    from: `from contract_transaction_hash where hash = $1 ${newestSuccessFirst('transaction_result')}`,
    values: [hash],
  });
}

export type TransactionKey = {
  payerAccountId: bigint;
  /** ns */
  validStart: bigint;
  nonce: bigint;
  /** Latest consensus timestamp, ns. */
  latest: bigint;
};

export function selectExecutionById(db: Database, key: TransactionKey): Promise<Execution | null> {
  return selectOne(db, {
    name: 'select-execution-by-id',
    select: executionColumns,
    from: `from transaction
where payer_account_id = $1 and valid_start_ns = $2 and nonce = $3::int8
  and consensus_timestamp >= $2 and consensus_timestamp <= $4 ${newestSuccessFirst('result')}`,
    values: [key.payerAccountId, key.validStart, key.nonce, key.latest],
  });
}

const detailedEthereum = selectAll(
  ethereumColumns,
  columns('ethereum_transaction', { call_data: 'call_data', call_data_id: 'call_data_id', eth_gas_limit: 'gas_limit' }),
);
const restOfDetail = joinAll(
  entityOfResult,
  ethereumOfResult('find-detailed-ethereum', detailedEthereum),
  blockOfResult,
);

export type ContractResultDetailRow = WithLists<RowOf<typeof pagedResult> & RowOf<typeof restOfDetail.select>>;

/** `contractId`: of a contract or account that took part; null = any. */
export async function selectContractResult(
  db: Database,
  timestamp: bigint,
  contractId: bigint | null,
): Promise<ContractResultDetailRow | null> {
  const party = 'from contract_transaction where consensus_timestamp = $1 and entity_id = $2';
  const values = contractId === null ? [timestamp] : [timestamp, contractId];
  let condition = '';
  if (contractId !== null && db.isDistributed) {
    const select = columns('contract_transaction', ['entity_id']);
    const parties = await db.query(selectQuery({ name: 'select-party', select, from: party, values }));
    if (parties.length === 0) return null;
    values.pop();
  } else if (contractId !== null) condition = ` and exists (select ${party})`;
  const query = {
    name: 'select-contract-result',
    shape: values.length === 1 ? 'any' : 'party',
    select: pagedResult,
    from: `contract_result r where r.consensus_timestamp = $1${condition}`,
    values,
    keys: {},
  };
  const [row] = await selectPage(db, { order: 'asc', limit: 1 }, query, restOfDetail);
  return row ? withParsedLists(row) : null;
}

const changedSlot = columns('contract_state_change', ['contract_id', 'slot', 'value_read', 'value_written']);

/** By contract and slot. Changes recorded by a migration count only for `contractId`. */
export function selectStateChanges(db: Database, timestamp: bigint, contractId: bigint | null) {
  const query = {
    name: 'select-state-changes',
    select: changedSlot,
    from: 'contract_state_change where consensus_timestamp = $1 and (migration is false or contract_id = $2)',
    values: [timestamp, contractId],
    keys: { contract_id: anyRange, slot: anyRange },
  };
  return selectPage(db, allRows, query, entityOfResult);
}
