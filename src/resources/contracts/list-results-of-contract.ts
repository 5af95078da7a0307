// GET contracts/{contractIdOrAddress}/results: a page of the results of one contract.

import { endpoint } from '../../api/endpoint/endpoint.ts';
import { flag } from '../../api/reading/value/flag.ts';
import { emptyPage } from '../../ledger/question/page.ts';
import { findContract, listOfContract } from './contract-path.ts';
import { createResultsOfContractKind } from './contract-result-members.ts';
import { decodeFlag } from './decoded/decode-flag.ts';
import { decodeResults } from './decoded/decode-items.ts';
import { looksUpSenders, refuseUsage, resultFilters, toResultsQuery } from './result-filters.ts';

const ofContract = listOfContract('the latest results of a contract');

export const listResultsOfContract = endpoint({
  ...ofContract,
  path: '/api/v1/contracts/{contractIdOrAddress}/results',
  id: 'listResultsOfContract',
  summary: 'Results of one contract',
  query: {
    ...resultFilters,
    hbar: flag('Taken, but without effect: amounts are tinybar.', { default: true }),
    decode: decodeFlag,
  },
  check: refuseUsage,
  several: ({ path, query }) => ofContract.several({ path }) || looksUpSenders(query),
  async ask({ path, query }, context) {
    const { ledger, settings } = context;
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return emptyPage;
    const question = await toResultsQuery(query, ledger);
    const isEvery = contractId === 0n && context.dialect.zeroIsEveryContract;
    const found = await ledger.contractResults.listOf(isEvery ? null : contractId, {
      ...question,
      synthetic: settings.syntheticResults,
    });
    return query.decode ? { ...found, items: await decodeResults(found.items, context.abis) } : found;
  },
  next: ['timestamp'],
  answer: createResultsOfContractKind,
  fresh: 1,
});
