// GET contracts/results/logs: a page of the logs of all contracts by time and position. The order of refusals is the
// mirror node's: values and names, too long a time range for topics, repeated hashes, conflicting conditions on time
// and position.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { refuseUnpageable, toEnds } from '../../api/reading/page/two-key-page.ts';
import { last } from '../../api/reading/query/conditions.ts';
import { transactionHashText } from '../../api/reading/value/text-kinds.ts';
import { createLogsKind, findLogs, listLogConditions, logFilters, logKeys, refuseTopics } from './log-filters.ts';

export const listContractLogs = endpoint({
  path: '/api/v1/contracts/results/logs',
  id: 'listContractLogs',
  tag: 'Contracts',
  summary: 'Logs of all contracts',
  query: {
    ...logFilters,
    'transaction.hash': last(
      transactionHashText,
      'Hash of the transaction: its own, or its Ethereum hash. At most once.',
    ),
  },
  peer: { inOtherCase: 'judged' },
  check(values, query, { settings }) {
    refuseTopics(values, query, settings);
    const conditions = listLogConditions(values, query);
    const place = query.findIndex(({ name }) => name === 'transaction.hash');
    if (place >= 0 && query[place]!.values.length > 1) {
      const before = new Set(query.slice(0, place).map(({ name }) => name));
      // Conditions before it are refused first.
      toEnds(
        conditions.filter(({ name }) => before.has(name)),
        logKeys,
      );
      throw refuse('repeatedParameter', { name: 'transaction.hash' });
    }
    refuseUnpageable(conditions, logKeys);
  },
  ask: ({ query }, context) =>
    findLogs({ ...query, contractId: null, transactionHash: query['transaction.hash'] }, context),
  next: ['timestamp', 'index'],
  answer: createLogsKind,
  fresh: 10,
  example: { text: 'the latest logs of contracts' },
});
