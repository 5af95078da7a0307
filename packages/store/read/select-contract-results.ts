// A page of contract results over all contracts, with columns of entity, Ethereum transaction, block and parent.
import type { Database } from '../../postgres/wire/database.ts';
import type { ResultsFilter } from './contract-result-parts.ts';
import { type ContractResultRow, restOfResult, withParsedLists } from './contract-result-row.ts';
import { resultsReader } from './results-page.ts';

export type ContractResultsFilter = ResultsFilter & {
  /** Whether synthetic results are merged in (`--synthetic-results`). */
  synthetic: boolean;
};

export async function selectContractResults(db: Database, filter: ContractResultsFilter): Promise<ContractResultRow[]> {
  return (await selectPage(db, { ...filter, contractId: null })).map(withParsedLists);
}

const selectPage = resultsReader('select-contract-results', restOfResult);
