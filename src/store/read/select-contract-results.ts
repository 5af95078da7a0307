// A page of contract results over all contracts, with columns of entity, Ethereum transaction and block. First the page,
// limited early along the time index, then one index probe for each row and table.
import { compareBigints } from '../../kit/compare-bigints.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { Database } from '../wire/database.ts';
import { type ResultsFilter, toBlockRange, toResultParts } from './contract-result-parts.ts';
import {
  type ContractResultRow,
  listedResult,
  pagedResult,
  restOfResult,
  withParsedLists,
} from './contract-result-row.ts';
import { type RowOf, selectQuery } from './statement/columns.ts';

export type ContractResultsFilter = ResultsFilter & {
  /** Whether rows made from synthetic contract logs are merged in (`--synthetic-results`). */
  synthetic: boolean;
};

export async function selectContractResults(db: Database, filter: ContractResultsFilter): Promise<ContractResultRow[]> {
  const { order, synthetic } = filter;
  if (db.isDistributed) return selectFromMachines(db, filter);
  const values: unknown[] = [];
  const { limit, shape, tables, shared, all } = toResultParts(filter, values);
  const real = `select ${pagedResult.sql}
  from contract_result r
  where r.transaction_result <> ${responseCode.WRONG_NONCE}${all}
  order by r.consensus_timestamp ${order} limit ${limit}`;
  const page = synthetic
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
    shape: `${synthetic ? 's' : ''}${order}${limit}${shape}`,
    tables: `${tables && `${tables}, `}real as (
  ${real}
), ${page}`,
    select: listedResult,
    from: `from page
${restOfResult.sql}
order by page.consensus_timestamp ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit).map(withParsedLists);
}

/** In a distributed database: real results, then synthetic ones as far as the page reaches, then the joined columns. */
async function selectFromMachines(db: Database, filter: ContractResultsFilter): Promise<ContractResultRow[]> {
  const { order, limit: size } = filter;
  const timestamp = await toBlockRange(db, filter.block, filter.timestamp);
  if (timestamp === null) return [];
  const ofTime = { ...filter, timestamp, block: null };
  const values: unknown[] = [];
  const { limit, shape, all } = toResultParts(ofTime, values);
  const real = selectQuery({
    name: 'select-real-results',
    shape: `${order}${limit}${shape}`,
    select: pagedResult,
    from: `from contract_result r
where r.transaction_result <> ${responseCode.WRONG_NONCE}${all}
order by r.consensus_timestamp ${order} limit ${limit}`,
    values,
  });
  const found = (await db.query(real)).slice(0, size);
  const synthetic = filter.synthetic ? await selectSynthetic(db, ofTime, found) : [];
  const direction = order === 'asc' ? 1 : -1;
  const page = [...found, ...synthetic]
    .sort((one, other) => direction * compareBigints(one.consensusTimestamp, other.consensusTimestamp))
    .slice(0, size);
  await restOfResult.add(db, page);
  return (page as RowOf<typeof listedResult>[]).map(withParsedLists);
}

async function selectSynthetic(
  db: Database,
  filter: ContractResultsFilter,
  real: readonly { consensusTimestamp: bigint }[],
): Promise<RowOf<typeof pagedResult>[]> {
  const { order, limit: size } = filter;
  const values: unknown[] = [];
  const { limit, shape, shared } = toResultParts({ ...filter, sender: { equals: [], others: [] } }, values);
  const last = real.length < size ? undefined : real.at(-1)!.consensusTimestamp;
  const reach =
    last === undefined ? '' : ` and l.consensus_timestamp ${order === 'asc' ? '<=' : '>='} $${values.push(last)}::int8`;
  const query = selectQuery({
    name: 'select-synthetic-results',
    shape: `${order}${limit}${shape}${reach && 'r'}`,
    distinctOn: 'l.consensus_timestamp',
    select: { ...pagedResult, sql: syntheticColumns },
    from: `from contract_log l
where l.synthetic is true${shared('l')}${reach}
order by l.consensus_timestamp ${order}, l.index ${order} limit ${limit}`,
    values,
  });
  const known = new Set(real.map(({ consensusTimestamp }) => consensusTimestamp));
  return (await db.query(query)).filter(({ consensusTimestamp }) => !known.has(consensusTimestamp));
}

/** If the rows alone fill the page, synthetic ones beyond its end are not read. */
function reachOfRows(order: 'asc' | 'desc', limit: number): string {
  const [operator, end, open] = order === 'desc' ? ['>=', 'min', '0'] : ['<=', 'max', '9223372036854775807'];
  return `
      and l.consensus_timestamp ${operator} coalesce(
        (select ${end}(consensus_timestamp) from real having count(*) = ${limit}), ${open})`;
}

// In the order of resultColumns, then the payer. Empty is not zero: bloom and call result of a synthetic row are defined as
// absent, so they are null here.
const syntheticColumns = `null::int8 as amount, null::bytea as bloom, null::bytea as call_result, l.consensus_timestamp,
      coalesce(l.root_contract_id, l.contract_id) as contract_id, null::int8[] as created_contract_ids,
      null::text as error_message, null::bytea as failed_initcode, ''::bytea as function_parameters,
      null::int8 as gas_consumed, 0::int8 as gas_limit, null::int8 as gas_used, l.payer_account_id as sender_id,
      l.transaction_hash, l.transaction_index, ${responseCode.SUCCESS}::int2 as transaction_result,
      null::bytea as function_result, l.payer_account_id`;
