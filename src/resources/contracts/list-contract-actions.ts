// GET contracts/results/{transactionIdOrHash}/actions: a page of the calls inside a transaction. The query is validated
// before the path.

import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold, equalOrBound, range } from '../../api/reading/query/conditions.ts';
import { refuseNotEqual } from '../../api/reading/query/refuse-not-equal.ts';
import { indexText } from '../../api/reading/value/text-kinds.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import { actionMembers, createContractActionKind } from './contract-action-members.ts';
import { decodeFlag } from './decoded/decode-flag.ts';
import { decodeActions } from './decoded/decode-items.ts';
import { executionInPath } from './execution-path.ts';

export const listContractActions = endpoint({
  path: '/api/v1/contracts/results/{transactionIdOrHash}/actions',
  id: 'listContractActions',
  tag: 'Contracts',
  summary: 'Calls inside a transaction',
  in: { transactionIdOrHash: executionInPath },
  query: {
    // `ne` is refused like others, but after them.
    index: range(indexText, `Position of the call. ${allHold}`, { shows: equalOrBound }),
    ...page({ order: 'asc', by: 'position' }),
    decode: decodeFlag,
  },
  check: (_values, query) => refuseNotEqual(query, 'index', 'Invalid parameter: index'),
  peer: { queryFirst: true },
  async ask({ path: { transactionIdOrHash: execution }, query }, { ledger, abis }) {
    const found = await ledger.contractResults.listActions({ ...query, execution, members: actionMembers });
    return found && query.decode ? { ...found, items: await decodeActions(found.items, abis) } : found;
  },
  next: ['index'],
  answer: (context) => pageOf('actions', createContractActionKind(context), 'ContractActions'),
  fresh: 600,
  example: {
    text: 'the calls inside an execution',
    find: ({ execution }) => execution && formatTransactionId(execution),
    missing: 'no contract has been executed yet',
  },
});
