// A page of the results of one contract, without columns of block and Ethereum transaction.
import { entityOfOne, entityOfResult, parentOfResult } from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { resultsReader } from './results-page.ts';

const joined = joinAll(entityOfOne, parentOfResult);

export const selectResultsOfContract = resultsReader('select-results-of-contract', {
  ...joined,
  // In a distributed database the entity of each row is looked up.
  add: joinAll(entityOfResult, parentOfResult).add,
});
