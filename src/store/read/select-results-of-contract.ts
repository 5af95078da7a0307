// A page of the results of one contract, without what block and Ethereum transaction say of them.
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { Database } from '../wire/database.ts';
import { type ResultsFilter, toBlockRange, toResultParts } from './contract-result-parts.ts';
import { entityOfOne, joinEntity, resultColumns } from './contract-result-row.ts';
import { columnsOf, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

export type ResultOfContractRow = RowOf<typeof storedRow>;

export async function selectResultsOfContract(
  db: Database,
  contractId: bigint,
  filter: ResultsFilter,
): Promise<ResultOfContractRow[]> {
  const { order } = filter;
  if (db.isDistributed && filter.block) {
    const timestamp = await toBlockRange(db, filter.block, filter.timestamp);
    return timestamp === null ? [] : selectResultsOfContract(db, contractId, { ...filter, timestamp, block: null });
  }
  const values: unknown[] = [contractId];
  const { limit, shape, tables, all } = toResultParts(filter, values);
  const query = selectQuery({
    name: 'select-results-of-contract',
    shape,
    tables: `${tables}page as (
  select ${resultColumns.sql}
  from contract_result r
  where r.contract_id = $1 and r.transaction_result <> ${responseCode.WRONG_NONCE}${all}
  order by r.consensus_timestamp ${order} limit ${limit}
)`,
    select: storedRow,
    from: `from page ${joinEntity('$1')}
order by page.consensus_timestamp ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const storedRow = selectAll(columnsOf(resultColumns, 'page'), entityOfOne);
