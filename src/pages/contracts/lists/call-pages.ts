// `/{network}/contract/:contractId/calls` and `/events`: what was asked of a contract, and what it logged, the newest
// first.
import { listLogsOfContract } from '../../../resources/contracts/list-logs-of-contract.ts';
import { listResultsOfContract } from '../../../resources/contracts/list-results-of-contract.ts';
import { listPage } from '../../lists/list-page.ts';
import type { Page, PageRequest } from '../../page/page.ts';
import { timeFields } from '../../parts/filters.ts';
import { contractHeading } from '../about/contract-heading.ts';
import { contractParams, findContract } from '../about/find-contract.ts';
import { logColumns, logsOfPage } from './log-columns.ts';
import { resultColumns, resultsOfPage } from './result-columns.ts';

const titleOf =
  (what: string) =>
  ({ params }: PageRequest): string =>
    `${what} ${params.contractId}`;

export const callPages: readonly Page[] = [
  listPage({
    path: '/contract/:contractId/calls',
    title: titleOf('Calls of contract'),
    open: (request, context) => findContract(context, request),
    heading: (_request, { links }, shown) => contractHeading(shown, 'calls', links),
    endpoint: listResultsOfContract,
    params: contractParams,
    items: resultsOfPage,
    columns: ({ links }, _request, shown) => resultColumns(shown, links),
    filters: [{ name: 'from', label: 'From account', placeholder: '0.0.1001' }],
    none: 'Nobody has called it.',
  }),
  listPage({
    path: '/contract/:contractId/events',
    title: titleOf('Events of contract'),
    open: (request, context) => findContract(context, request),
    heading: (_request, { links }, shown) => contractHeading(shown, 'events', links),
    endpoint: listLogsOfContract,
    params: contractParams,
    items: logsOfPage,
    columns: ({ links }, _request, shown) => logColumns(shown, links),
    filters: timeFields,
    none: 'It has logged nothing.',
  }),
];
