// A page of the results of one contract, without columns of block and Ethereum transaction.
import { anyRange } from '../../kit/range.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { Database } from '../wire/database.ts';
import { type ResultsFilter, toBlockRange, toResultParts } from './contract-result-parts.ts';
import { entityOfOne, resultColumns } from './contract-result-row.ts';
import { selectPage } from './select-page.ts';
import type { RowOf } from './statement/columns.ts';

export type ResultOfContractRow = RowOf<typeof resultColumns> & RowOf<typeof entityOfOne.select>;

export async function selectResultsOfContract(
  db: Database,
  contractId: bigint,
  filter: ResultsFilter,
): Promise<ResultOfContractRow[]> {
  if (db.isDistributed && filter.block) {
    const timestamp = await toBlockRange(db, filter.block, filter.timestamp);
    return timestamp === null ? [] : selectResultsOfContract(db, contractId, { ...filter, timestamp, block: null });
  }
  const values: unknown[] = [contractId];
  const { shape, tables, all } = toResultParts(filter, values);
  const query = {
    name: 'select-results-of-contract',
    shape,
    tables,
    select: resultColumns,
    from: `contract_result r where r.contract_id = $1 and r.transaction_result <> ${responseCode.WRONG_NONCE}${all}`,
    values,
    keys: { consensus_timestamp: anyRange },
  };
  return selectPage(db, filter, query, entityOfOne);
}
