// One contract result with everything about its transaction: one statement on one machine, with logs and storage
// changes as nested rows. Rows of contracts without a known id are found as well.

import { compareBigints } from '../../kit/compare-bigints.ts';
import { anyRange } from '../../kit/range.ts';
import type { Database, NamedQuery } from '../../postgres/wire/database.ts';
import {
  type ExecutionKey,
  executionBounds,
  executionValues,
  namedExecution,
  selectExecution,
} from './contract-execution.ts';
import {
  addressOfEntity,
  blockOfResult,
  entityOfResult,
  ethereumColumns,
  ethereumOfResult,
  pagedResult,
  parentOfResult,
  type WithLists,
  withParsedLists,
} from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { nestedRows } from './nested-rows.ts';
import { type LogOfResult, logOfResult, selectLogsAt } from './select-contract-logs.ts';
import { allRows, selectPage } from './select-page.ts';
import { columns, columnsOf, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import {
  hasNoExecution,
  isParty,
  isShown,
  isSynthetic,
  selectSyntheticAt,
  selectSyntheticTime,
  syntheticResult,
} from './synthetic-result.ts';

export const detailedEthereum = selectAll(
  ethereumColumns,
  columns('ethereum_transaction', { call_data: 'call_data', call_data_id: 'call_data_id', eth_gas_limit: 'gas_limit' }),
);

/** `bounds`: see executionBounds. */
const restOfDetail = (bounds: string) =>
  joinAll(
    entityOfResult,
    ethereumOfResult('find-detailed-ethereum', detailedEthereum, bounds),
    blockOfResult,
    parentOfResult,
  );

type Rest = RowOf<ReturnType<typeof restOfDetail>['select']>;
type StoredDetail = RowOf<typeof pagedResult> & Rest;
type StateChange = RowOf<typeof changeOfResult>;
type Parts = {
  /** By index. */
  logs: LogOfResult[];
  /** By contract and slot. */
  stateChanges: StateChange[];
};
export type ContractResultDetailRow = WithLists<StoredDetail> & Parts;

const changedSlot = ['contract_id', 'slot', 'value_read', 'value_written'] as const;
/** Of contract_state_change as `c`. */
const changeOfResult = selectAll(columns('contract_state_change', changedSlot, 'c'), addressOfEntity('c.contract_id'));

/**
 * `contractId`: of a contract or account that took part, asked by time; null = any. `synthetic`: whether a transaction
 * that only synthetic logs tell of has a result.
 */
export type ResultOptions = { contractId: bigint | null; synthetic: boolean };

export async function selectContractResult(
  db: Database,
  key: ExecutionKey,
  { contractId, synthetic }: ResultOptions,
): Promise<ContractResultDetailRow | null> {
  if (db.isDistributed) return selectFromMachines(db, key, { contractId, synthetic });
  const kind = contractId === null ? key.kind : 'party';
  const { query, readLogs, readChanges } = (synthetic ? withSynthetic : statements)[kind];
  const values = executionValues(key);
  if (contractId !== null) values.push(contractId);
  const [row] = await db.query({ ...query, values });
  if (!row) return null;
  const logs = readLogs(row.logs).sort((one, other) => one.index - other.index);
  const stateChanges = readChanges(row.stateChanges).sort(byContractAndSlot);
  return Object.assign(withParsedLists(row), { logs, stateChanges });
}

const statements = toStatements(false);
const withSynthetic = toStatements(true);

function toStatements(synthetic: boolean) {
  return {
    hash: toStatement('hash', { isOfParty: false, synthetic }),
    id: toStatement('id', { isOfParty: false, synthetic }),
    time: toStatement('time', { isOfParty: false, synthetic }),
    party: toStatement('time', { isOfParty: true, synthetic }),
  };
}

type StatementOptions = {
  /** `$2` is who took part. */
  isOfParty: boolean;
  synthetic: boolean;
};

function toStatement(kind: ExecutionKey['kind'], { isOfParty, synthetic }: StatementOptions) {
  const ofNamed = (alias: string): string => {
    const moment = `${alias}.consensus_timestamp`;
    return `${moment} = named.consensus_timestamp${kind === 'id' ? executionBounds(kind, moment) : ''}`;
  };
  const logs = nestedRows('logs', logOfResult, `from contract_log l where ${ofNamed('l')} and ${isShown('l')}`);
  const changes = nestedRows(
    'state_changes',
    changeOfResult,
    `from contract_state_change c where ${ofNamed('c')} and ${toRecorded(isOfParty)}`,
  );
  const rest = restOfDetail(executionBounds(kind, 'consensus_timestamp'));
  const party = ` and exists (select from contract_transaction p where ${ofNamed('p')} and p.entity_id = $2)`;
  const real = `select ${pagedResult.sql} from contract_result r where ${ofNamed('r')}${isOfParty ? party : ''} limit 1`;
  const partyOfLogs = ` and exists (select from contract_log q where ${ofNamed('q')} and ${isSynthetic('q')} and ${isParty('q', '$2')})`;
  const ofLogs = `select ${syntheticResult.sql} from contract_log l
  where ${ofNamed('l')} and ${isSynthetic('l')} and ${hasNoExecution('l')}${isOfParty ? partyOfLogs : ''}
  order by l.index limit 1`;
  const query = selectQuery({
    name: 'select-contract-result',
    shape: `${isOfParty ? 'party' : kind}${synthetic ? '-s' : ''}`,
    select: selectAll(columnsOf(pagedResult, 'page'), rest.select, logs.select, changes.select),
    from: `from (${synthetic && kind === 'hash' ? namedByLogs() : namedExecution(kind)}) named
cross join lateral (${synthetic ? `(${real}) union all (${ofLogs}) limit 1` : real}) page
${rest.sql}`,
  }) as NamedQuery<StoredDetail & { logs: Buffer[]; stateChanges: Buffer[] }>;
  return { query, readLogs: logs.read, readChanges: changes.read };
}

/** SQL: the execution with the hash `$1`, else the newest transaction with it that has a synthetic result. */
function namedByLogs(): string {
  return `(${namedExecution('hash')})
union all
(select h.consensus_timestamp, h.payer_account_id from transaction_hash h
cross join lateral (
  select from contract_log l where l.consensus_timestamp = h.consensus_timestamp and ${isSynthetic('l')} limit 1
) logged
where h.hash = $1 order by h.consensus_timestamp + 0 desc limit 1)
limit 1`;
}

/** SQL: changes recorded by a migration count only for the contract. */
function toRecorded(isOfParty: boolean): string {
  return isOfParty ? '(c.migration is false or c.contract_id = $2)' : 'c.migration is false';
}

function byContractAndSlot(one: StateChange, other: StateChange): number {
  return compareBigints(one.contractId, other.contractId) || Buffer.compare(one.slot, other.slot);
}

/** In a distributed database: first its time, then its tables one by one. */
async function selectFromMachines(
  db: Database,
  key: ExecutionKey,
  { contractId, synthetic }: ResultOptions,
): Promise<ContractResultDetailRow | null> {
  const timestamp = key.kind === 'time' ? key.timestamp : await selectTime(db, key, synthetic);
  if (timestamp === null) return null;
  const isOfParty = contractId === null || (await tookPart(db, timestamp, contractId));
  if (!isOfParty && !synthetic) return null;
  const ofResult = { select: pagedResult, from: 'contract_result r where r.consensus_timestamp = $1' };
  const ofChanges = {
    select: columns('contract_state_change', changedSlot, 'c'),
    from: `contract_state_change c where consensus_timestamp = $1 and ${toRecorded(contractId !== null)}`,
    values: contractId === null ? [timestamp] : [timestamp, contractId],
    shape: contractId === null ? 'any' : 'party',
    keys: { contract_id: anyRange, slot: anyRange },
  };
  const result = { ...ofResult, name: 'select-stored-result', values: [timestamp], keys: {} };
  const [[ran], logs, stateChanges] = await Promise.all([
    selectPage(db, { order: 'asc', limit: 1 }, result, restOfDetail('')),
    selectLogsAt(db, timestamp),
    selectPage(db, allRows, { ...ofChanges, name: 'select-state-changes' }, entityOfResult),
  ]);
  const row = ran ? (isOfParty ? ran : null) : synthetic ? await selectSynthetic(db, timestamp, contractId) : null;
  return row ? Object.assign(withParsedLists(row), { logs, stateChanges }) : null;
}

async function selectTime(db: Database, key: Exclude<ExecutionKey, { kind: 'time' }>, synthetic: boolean) {
  const found = await selectExecution(db, key);
  if (found) return found.consensusTimestamp;
  return synthetic && key.kind === 'hash' ? selectSyntheticTime(db, key.hash) : null;
}

async function selectSynthetic(db: Database, timestamp: bigint, party: bigint | null): Promise<StoredDetail | null> {
  const [row] = await selectSyntheticAt(db, timestamp, party);
  if (!row) return null;
  await restOfDetail('').add(db, [row]);
  return row as StoredDetail;
}

async function tookPart(db: Database, timestamp: bigint, contractId: bigint): Promise<boolean> {
  const found = await db.query(
    selectQuery({
      name: 'select-party',
      select: columns('contract_transaction', ['entity_id']),
      from: 'from contract_transaction where consensus_timestamp = $1 and entity_id = $2',
      values: [timestamp, contractId],
    }),
  );
  return found.length > 0;
}
