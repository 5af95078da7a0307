// A page of contract results over all contracts or of one: those of executions, limited early along an index of time,
// and synthetic ones as far as they reach (synthetic-result.ts). Then one index probe for each row and joined table.

import { compareBigints } from '../../kit/compare-bigints.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { type ResultsFilter, toBlockRange, toResultParts } from './contract-result-parts.ts';
import { pagedResult } from './contract-result-row.ts';
import type { Joined } from './joined.ts';
import { columnsOf, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import {
  contractOf,
  hasNoExecution,
  isFirstOfTransaction,
  isSynthetic,
  selectExecutedTimes,
  selectSyntheticContracts,
  syntheticResult,
} from './synthetic-result.ts';

export type ResultsPageFilter = ResultsFilter & {
  /** null = of all contracts. */
  contractId: bigint | null;
  /** Whether synthetic results are merged in (`--synthetic-results`). */
  synthetic: boolean;
};

type PagedRow = RowOf<typeof pagedResult>;

const noSender = { equals: [], others: [] };

/** `joined`: of all contracts, and of one, as `$1`. */
export function resultsReader<Found>(name: string, joined: Joined<Found>) {
  return async function selectResults(db: Database, filter: ResultsPageFilter): Promise<(PagedRow & Found)[]> {
    if (db.isDistributed) return selectFromMachines(db, filter, { name, joined });
    const { order, contractId, synthetic } = filter;
    const values: unknown[] = contractId === null ? [] : [contractId];
    const { limit, shape, tables, shared, all } = toResultParts(filter, values);
    const real = `real as (
  select ${pagedResult.sql}
  from contract_result r
  where ${ofContract('r', contractId)}r.transaction_result <> ${responseCode.WRONG_NONCE}${all}
  order by r.consensus_timestamp ${order} limit ${limit}
)`;
    const first = contractId === null ? '' : ` and ${contractOf('l')} = $1 and ${isFirstOfTransaction('l')}`;
    const page = synthetic
      ? `page as (
  select * from real
  union all
  select first.* from (
    select distinct on (l.consensus_timestamp) l.consensus_timestamp
    from contract_log l
    where ${ofContract('l', contractId)}${isSynthetic('l')}${shared('l')}${reachOfRows(order, limit)}
      and ${hasNoExecution('l')}${first}
    order by l.consensus_timestamp ${order}, l.index ${order} limit ${limit}
  ) moment cross join lateral (
    select ${syntheticResult.sql} from contract_log l
    where l.consensus_timestamp = moment.consensus_timestamp and ${isSynthetic('l')} order by l.index limit 1
  ) first
  order by consensus_timestamp ${order} limit ${limit}
)`
      : 'page as (select * from real)';
    const query = selectQuery({
      name,
      shape: `${synthetic ? 's' : ''}${order}${limit}${shape}`,
      tables: [tables, real, page].filter(Boolean).join(', '),
      select: selectAll(columnsOf(pagedResult, 'page'), joined.select),
      from: `from page
${joined.sql}
order by page.consensus_timestamp ${order}`,
      values,
    });
    return (await db.query(query)).slice(0, filter.limit) as unknown as (PagedRow & Found)[];
  };
}

function ofContract(alias: string, contractId: bigint | null): string {
  return contractId === null ? '' : `${alias}.contract_id = $1 and `;
}

/** If the rows alone fill the page, synthetic ones beyond its end are not read. */
function reachOfRows(order: 'asc' | 'desc', limit: number): string {
  const [operator, end, open] = order === 'desc' ? ['>=', 'min', '0'] : ['<=', 'max', '9223372036854775807'];
  return `
      and l.consensus_timestamp ${operator} coalesce(
        (select ${end}(consensus_timestamp) from real having count(*) = ${limit}), ${open})`;
}

/** In a distributed database: real results, then synthetic ones as far as the page reaches, then the joined columns. */
async function selectFromMachines<Found>(
  db: Database,
  filter: ResultsPageFilter,
  { name, joined }: { name: string; joined: Joined<Found> },
): Promise<(PagedRow & Found)[]> {
  const { order, limit: size, contractId } = filter;
  const timestamp = await toBlockRange(db, filter.block, filter.timestamp);
  if (timestamp === null) return [];
  const ofTime = { ...filter, timestamp, block: null };
  const values: unknown[] = contractId === null ? [] : [contractId];
  const { limit, shape, all } = toResultParts(ofTime, values);
  const real = selectQuery({
    name: `${name}-real`,
    shape: `${order}${limit}${shape}`,
    select: pagedResult,
    from: `from contract_result r
where ${ofContract('r', contractId)}r.transaction_result <> ${responseCode.WRONG_NONCE}${all}
order by r.consensus_timestamp ${order} limit ${limit}`,
    values,
  });
  const found = (await db.query(real)).slice(0, size);
  const synthetic = filter.synthetic ? await selectSynthetic(db, ofTime, found) : [];
  const direction = order === 'asc' ? 1 : -1;
  const page = [...found, ...synthetic]
    .sort((one, other) => direction * compareBigints(one.consensusTimestamp, other.consensusTimestamp))
    .slice(0, size);
  await joined.add?.(db, page);
  return page as (PagedRow & Found)[];
}

/** Until the page is full: what a log stands beside is known only when it has been read. */
async function selectSynthetic(
  db: Database,
  filter: ResultsPageFilter,
  real: readonly PagedRow[],
): Promise<PagedRow[]> {
  const { order, limit: size, contractId } = filter;
  const last = real.length < size ? null : real.at(-1)!.consensusTimestamp;
  const name = contractId === null ? 'select-synthetic-results' : 'select-synthetic-results-of-contract';
  const kept: PagedRow[] = [];
  let { timestamp } = filter;
  for (;;) {
    const values: unknown[] = contractId === null ? [] : [contractId];
    const { limit, shape, shared } = toResultParts({ ...filter, timestamp, sender: noSender }, values);
    const reach =
      last === null ? '' : ` and l.consensus_timestamp ${order === 'asc' ? '<=' : '>='} $${values.push(last)}::int8`;
    const query = selectQuery({
      name,
      shape: `${order}${limit}${shape}${reach && 'r'}`,
      distinctOn: 'l.consensus_timestamp',
      select: syntheticResult,
      from: `from contract_log l
where ${ofContract('l', contractId)}${isSynthetic('l')}${shared('l')}${reach}
order by l.consensus_timestamp ${order}, l.index limit ${limit}`,
      values,
    });
    const rows = await db.query(query);
    kept.push(...(await keepResults(db, rows, contractId)));
    if (kept.length >= size || rows.length < limit) return kept;
    const end = rows.at(-1)!.consensusTimestamp;
    timestamp = order === 'asc' ? { ...timestamp, from: end + 1n } : { ...timestamp, to: end - 1n };
  }
}

/** Those at whose time nothing ran, and which stand for their transaction. */
async function keepResults(db: Database, rows: readonly PagedRow[], contractId: bigint | null): Promise<PagedRow[]> {
  if (rows.length === 0) return [];
  const moments = rows.map(({ consensusTimestamp }) => consensusTimestamp);
  const [executed, contracts] = await Promise.all([
    selectExecutedTimes(db, moments),
    contractId === null ? null : selectSyntheticContracts(db, moments),
  ]);
  return rows.filter(
    ({ consensusTimestamp: at }) => !executed.has(at) && (contracts === null || contracts.get(at) === contractId),
  );
}
