// A page of contract results over all contracts, with what entity, Ethereum transaction and block say of each row.
// First the page, cut early along the index of time, then one index probe for each row and table.

import { compareBigints } from '../../kit/compare-bigints.ts';
import type { Range } from '../../kit/range.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectAll, selectQuery } from './columns.ts';
import {
  type BlockFilter,
  type SenderFilter,
  toBlockPart,
  toBlockRange,
  toIndexPart,
  toNoncePart,
  toSenderPart,
} from './contract-result-parts.ts';
import {
  type ContractResultRow,
  ethereumOfResult,
  joinToResults,
  resultColumns,
  storedResult,
  withParsedLists,
} from './contract-result-row.ts';
import { addToResults } from './distributed/find-of-results.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';

export type ContractResultsFilter = {
  sender: SenderFilter;
  block: BlockFilter;
  transactionIndexes: readonly bigint[];
  internal: boolean;
  timestamp: Range;
  synthetic: boolean;
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectContractResults(db: Database, filter: ContractResultsFilter): Promise<ContractResultRow[]> {
  const { order } = filter;
  if (db.isDistributed) return selectFromMachines(db, filter);
  const values: unknown[] = [];
  const limit = toLiteralLimit(filter.limit);
  const block = toBlockPart(filter.block, values);
  const time = toRangePart(filter.timestamp, values);
  const indexes = toIndexPart(filter.transactionIndexes, values);
  const sender = toSenderPart(filter.sender, values);
  const nonce = toNoncePart(filter.internal);
  const shared = (table: string) =>
    `${block.sql(`${table}.consensus_timestamp`)}${time.sql(`${table}.consensus_timestamp`)}${indexes.sql(`${table}.transaction_index`)}`;

  const real = `select ${resultColumns.sql}, r.payer_account_id
  from contract_result r
  where r.transaction_result <> ${responseCode.WRONG_NONCE}${shared('r')}${nonce.sql}${sender.sql('r.sender_id')}
  order by r.consensus_timestamp ${order} limit ${limit}`;
  const page = filter.synthetic
    ? `page as (
  select * from real
  union all
  select * from (
    select distinct on (l.consensus_timestamp) ${syntheticColumns}
    from contract_log l where l.synthetic is true${shared('l')}${reachOfRows(order, limit)}
    order by l.consensus_timestamp ${order}, l.index ${order} limit ${limit}
  ) synthetic where not exists (select from real where real.consensus_timestamp = synthetic.consensus_timestamp)
  order by consensus_timestamp ${order} limit ${limit}
)`
    : 'page as (select * from real)';

  const query = selectQuery({
    name: 'select-contract-results',
    shape: `${order}${limit}${filter.synthetic ? 's' : ''}${nonce.code}-${block.code}${time.code}${indexes.code}${sender.code}`,
    tables: `${block.table}real as (
  ${real}
), ${page}`,
    select: storedResult,
    from: `from page
${joinToResults()}
order by page.consensus_timestamp ${order}`,
    values,
  });
  const rows = await db.query(query);
  return rows.slice(0, filter.limit).map(withParsedLists);
}

/** In a distributed database: real results, then synthetic ones as far as the page reaches, then what is joined to them. */
async function selectFromMachines(db: Database, filter: ContractResultsFilter): Promise<ContractResultRow[]> {
  const { order, limit: size } = filter;
  const range = await toBlockRange(db, filter.block, filter.timestamp);
  if (range === null) return [];
  const limit = toLiteralLimit(size);
  const nonce = toNoncePart(filter.internal);
  const values: unknown[] = [];
  const time = toRangePart(range, values);
  const indexes = toIndexPart(filter.transactionIndexes, values);
  const sender = toSenderPart(filter.sender, values);
  const real = selectQuery({
    name: 'select-real-results',
    shape: `${order}${limit}${nonce.code}-${time.code}${indexes.code}${sender.code}`,
    select: pagedResult,
    from: `from contract_result r
where r.transaction_result <> ${responseCode.WRONG_NONCE}${time.sql('r.consensus_timestamp')}${indexes.sql('r.transaction_index')}${nonce.sql}${sender.sql('r.sender_id')}
order by r.consensus_timestamp ${order} limit ${limit}`,
    values,
  });
  const found = (await db.query(real)).slice(0, size);
  const synthetic = filter.synthetic ? await selectSynthetic(db, { ...filter, timestamp: range }, found) : [];
  const direction = order === 'asc' ? 1 : -1;
  const page = [...found, ...synthetic]
    .sort((one, other) => direction * compareBigints(one.consensusTimestamp, other.consensusTimestamp))
    .slice(0, size);
  const rows = await addToResults(db, page, { name: 'find-ethereum', select: ethereumOfResult });
  return rows.map(withParsedLists);
}

async function selectSynthetic(
  db: Database,
  { order, limit: size, timestamp, transactionIndexes }: ContractResultsFilter,
  real: readonly { consensusTimestamp: bigint }[],
): Promise<RowOf<typeof pagedResult>[]> {
  const limit = toLiteralLimit(size);
  const values: unknown[] = [];
  const time = toRangePart(timestamp, values);
  const indexes = toIndexPart(transactionIndexes, values);
  const last = real.length < size ? undefined : real.at(-1)!.consensusTimestamp;
  const reach =
    last === undefined ? '' : ` and l.consensus_timestamp ${order === 'asc' ? '<=' : '>='} $${values.push(last)}::int8`;
  const query = selectQuery({
    name: 'select-synthetic-results',
    shape: `${order}${limit}-${time.code}${indexes.code}${reach && 'r'}`,
    distinctOn: 'l.consensus_timestamp',
    select: { ...pagedResult, sql: syntheticColumns },
    from: `from contract_log l
where l.synthetic is true${time.sql('l.consensus_timestamp')}${indexes.sql('l.transaction_index')}${reach}
order by l.consensus_timestamp ${order}, l.index ${order} limit ${limit}`,
    values,
  });
  const known = new Set(real.map(({ consensusTimestamp }) => consensusTimestamp));
  return (await db.query(query)).filter(({ consensusTimestamp }) => !known.has(consensusTimestamp));
}

const pagedResult = selectAll(resultColumns, columns('contract_result', ['payer_account_id'], 'r'));

/** Where the rows alone fill the page, synthetic ones beyond its end are not looked for. */
function reachOfRows(order: 'asc' | 'desc', limit: number): string {
  const [operator, end, open] = order === 'desc' ? ['>=', 'min', '0'] : ['<=', 'max', '9223372036854775807'];
  return `
      and l.consensus_timestamp ${operator} coalesce(
        (select ${end}(consensus_timestamp) from real having count(*) = ${limit}), ${open})`;
}

// In the order of resultColumns, then the payer. Empty is not zero: bloom and call result of a synthetic row are
// said to be nothing, so they are null here.
const syntheticColumns = `null::int8 as amount, null::bytea as bloom, null::bytea as call_result, l.consensus_timestamp,
      coalesce(l.root_contract_id, l.contract_id) as contract_id, null::int8[] as created_contract_ids,
      null::text as error_message, null::bytea as failed_initcode, ''::bytea as function_parameters,
      null::int8 as gas_consumed, 0::int8 as gas_limit, null::int8 as gas_used, l.payer_account_id as sender_id,
      l.transaction_hash, l.transaction_index, ${responseCode.SUCCESS}::int2 as transaction_result,
      null::bytea as function_result, l.payer_account_id`;
