// GET contracts/results: a page of results across all contracts. The order of refusals is the mirror node's: values and
// names, senders out of range, conflicting parameters, `hbar`.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { closeTimestampRange } from '../../api/reading/page/timestamp-guard.ts';
import { bareFlag } from '../../api/reading/value/bare-flag.ts';
import { type ContractResultPage, createContractResultsKind } from './contract-result-members.ts';
import { decodeFlag } from './decoded/decode-flag.ts';
import { decodeResults } from './decoded/decode-items.ts';
import { looksUpSenders, refuseUsage, resultFilters, toResultsQuery } from './result-filters.ts';

export const listContractResults = endpoint({
  path: '/api/v1/contracts/results',
  id: 'listContractResults',
  tag: 'Contracts',
  summary: 'Results across all contracts',
  query: {
    ...resultFilters,
    hbar: bareFlag('true for amounts and prices in tinybar, false for weibar.', { default: true }),
    decode: decodeFlag,
  },
  check: refuseUsage,
  several: ({ query }) => looksUpSenders(query),
  async ask({ query }, context): Promise<ContractResultPage> {
    const { ledger, settings } = context;
    const hbar = query.hbar.read();
    const question = await toResultsQuery(query, ledger);
    const { range: timestamp, cut } = await closeTimestampRange(query.timestamp, query.order, context);
    const synthetic = settings.syntheticResults;
    const found = await ledger.contractResults.list({ ...question, timestamp, synthetic });
    const items = query.decode ? await decodeResults(found.items, context.abis) : found.items;
    return { items, next: found.next ?? (items.length > 0 ? cut : null), hbar };
  },
  next: ['timestamp'],
  answer: createContractResultsKind,
  fresh: 10,
  missing: true,
  example: { text: 'the latest contract results' },
});
