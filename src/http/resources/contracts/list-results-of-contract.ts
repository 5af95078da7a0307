// GET contracts/{contractIdOrAddress}/results: a page of the results of one contract.

import { emptyPage } from '../../../ledger/question/page.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { isLookedUp } from '../../reading/value/entity-reference.ts';
import { flag } from '../../reading/value/flag.ts';
import { contractInPath, findContract } from './contract-path.ts';
import { resultsOfContractKind } from './contract-result-members.ts';
import { looksUpSenders, refuseUsage, resultFilters, toResultsQuery } from './result-filters.ts';

export const listResultsOfContract = endpoint({
  path: '/api/v1/contracts/{contractIdOrAddress}/results',
  id: 'listResultsOfContract',
  tag: 'Contracts',
  summary: 'Results of one contract',
  in: { contractIdOrAddress: contractInPath },
  query: {
    ...resultFilters,
    hbar: flag('Taken, but without effect: amounts are tinybar.', { default: true }),
  },
  check: refuseUsage,
  several: ({ path, query }) => isLookedUp(path.contractIdOrAddress) || looksUpSenders(query),
  async ask({ path, query }, context) {
    const { ledger } = context;
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return emptyPage;
    const question = await toResultsQuery(query, ledger);
    const isEvery = contractId === 0n && context.dialect.zeroIsEveryContract;
    return ledger.contractResults.listOf(isEvery ? null : contractId, question);
  },
  next: ['timestamp'],
  answer: resultsOfContractKind,
  fresh: 1,
  example: {
    text: 'the latest results of a contract',
    find: ({ contractId }) => contractId,
    missing: 'no contract has been created yet',
  },
});
