// GET contracts/{contractIdOrAddress}/results/logs: a page of the logs of one contract by time and position.

import { endpoint } from '../../api/endpoint/endpoint.ts';
import { refuseUnpageable } from '../../api/reading/page/two-key-page.ts';
import { emptyPage } from '../../ledger/question/page.ts';
import { findContract, listOfContract } from './contract-path.ts';
import { createLogsKind, findLogs, listLogConditions, logFilters, logKeys, refuseTopics } from './log-filters.ts';

export const listLogsOfContract = endpoint({
  ...listOfContract('the latest logs of a contract'),
  path: '/api/v1/contracts/{contractIdOrAddress}/results/logs',
  id: 'listLogsOfContract',
  summary: 'Logs of one contract',
  query: logFilters,
  peer: { inOtherCase: 'same' },
  check(values, query, { dialect, settings }) {
    refuseTopics(values, query, settings);
    if (!dialect.looksUpContractFirst) refuseUnpageable(listLogConditions(values, query), logKeys);
  },
  async ask({ path, query, given }, context) {
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return emptyPage;
    refuseUnpageable(listLogConditions(query, given), logKeys);
    return findLogs({ ...query, contractId, transactionHash: null }, context);
  },
  next: ['timestamp', 'index'],
  answer: createLogsKind,
  fresh: 1,
});
