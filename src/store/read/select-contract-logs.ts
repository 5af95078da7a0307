// Logs by time and index: of one transaction, or a page of all of them or of one contract's.
import type { Database } from '../wire/database.ts';
import { columns, columnsOf, type RowOf, selectAll, selectQuery } from './columns.ts';
import { blockOfResult, entityOfResult, joinBlock, joinEntity } from './contract-result-row.ts';
import { addBlocks, addEntities } from './distributed/find-of-results.ts';
import { toLiteralLimit } from './statement-parts.ts';
import { type TwoKeyRange, toTwoKeyPart } from './two-key-part.ts';

export type ContractLogRow = RowOf<typeof logRow>;
/** What record_file says is null where no block holds the timestamp (`block_hash`). */
export type ListedLogRow = RowOf<typeof listedLogRow>;

export type ContractLogsFilter = {
  /** null = of all contracts. */
  contractId: bigint | null;
  /** Consensus timestamp and index. */
  keys: TwoKeyRange;
  /** By position, the stored values that are alternatives; empty = any. */
  topics: readonly (readonly Buffer[])[];
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectContractLogs(db: Database, filter: ContractLogsFilter): Promise<ListedLogRow[]> {
  const { contractId, order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [];
  let conditions = '';
  if (contractId !== null) {
    values.push(contractId);
    conditions += ' and l.contract_id = $1';
  }
  const keys = toTwoKeyPart(filter.keys, values);
  conditions += keys.sql('l.consensus_timestamp', 'l.index');
  let code = '';
  filter.topics.forEach((topics, position) => {
    if (topics.length === 0) return;
    values.push(topics);
    conditions += ` and l.topic${position} = any($${values.length}::bytea[])`;
    code += position;
  });
  const shape = `${contractId === null ? 'all' : 'one'}-${order}${limit}-${keys.code}-${code}`;
  const page = `from contract_log l
  where true${conditions}
  order by l.consensus_timestamp ${order}, l.index ${order} limit ${limit}`;
  if (db.isDistributed) {
    const query = selectQuery({ name: 'select-logs-page', shape, select: logColumns, from: page, values });
    const rows = (await db.query(query)).slice(0, filter.limit);
    const [listed] = await Promise.all([addEntities(db, rows), addBlocks(db, rows)]);
    return listed as ListedLogRow[];
  }
  const query = selectQuery({
    name: 'select-contract-logs',
    shape,
    tables: `page as (
  select ${logColumns.sql} ${page}
)`,
    select: listedLogRow,
    from: `from page ${joinEntity('page.contract_id')}
${joinBlock('page.consensus_timestamp')}
order by page.consensus_timestamp ${order}, page.index ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

/** By index. */
export async function selectLogsAt(db: Database, timestamp: bigint): Promise<ContractLogRow[]> {
  if (db.isDistributed) {
    const from = 'from contract_log l where l.consensus_timestamp = $1 order by l.index';
    const query = selectQuery({ name: 'select-logs-of-time', select: logColumns, from, values: [timestamp] });
    return addEntities(db, await db.query(query));
  }
  return db.query(
    selectQuery({
      name: 'select-logs-at',
      tables: `page as (select ${logColumns.sql} from contract_log l where l.consensus_timestamp = $1)`,
      select: logRow,
      from: `from page ${joinEntity('page.contract_id')}
order by page.index`,
      values: [timestamp],
    }),
  );
}

const logColumns = columns(
  'contract_log',
  [
    'bloom',
    'consensus_timestamp',
    'contract_id',
    'data',
    'index',
    'root_contract_id',
    'topic0',
    'topic1',
    'topic2',
    'topic3',
    'transaction_hash',
    'transaction_index',
  ],
  'l',
);
const logRow = selectAll(columnsOf(logColumns, 'page'), columnsOf(entityOfResult, 'e').optional());
const listedLogRow = selectAll(logRow, columnsOf(blockOfResult, 'b').optional());
