// GET contracts/results/{transactionIdOrHash}/actions: a page of the calls inside a transaction. The query is judged before
// the path.

import type { ContractAction } from '../../../ledger/contracts/contract-action.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { compared, range, several } from '../../reading/query/conditions.ts';
import { refuseNotEqual } from '../../reading/query/refuse-not-equal.ts';
import { indexText } from '../../reading/value/text-kinds.ts';
import type { Kind } from '../../values/kind.ts';
import { entityId, evmAddress, hex, int32, int64, timestamp, word } from '../../values/kinds.ts';
import { members, nullable, optional, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { formatTransactionId } from '../../values/transaction-id-text.ts';
import { executionInPath } from './execution-path.ts';

// By their numbers in CallOperationType and ContractActionType.
const callOperationTypes = ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'];
const callTypes = ['NO_ACTION', 'CALL', 'CREATE', 'PRECOMPILE', 'SYSTEM'];
/** By their field numbers in ContractAction. */
const resultDataTypes: Readonly<Record<number, string>> = { 11: 'OUTPUT', 12: 'REVERT_REASON', 13: 'ERROR' };
const parties = word(['ACCOUNT', 'CONTRACT']);

/** The address that was called, else the one that the recipient's number makes. */
const target: Kind<ContractAction> = {
  schema: evmAddress.schema,
  write: ({ recipientAddress, recipient }) =>
    recipientAddress
      ? `"0x${recipientAddress.toString('hex').padStart(40, '0')}"`
      : evmAddress.write({ evmAddress: null, id: recipient?.id ?? null }),
};

const actionKind = members<ContractAction>(
  {
    call_depth: value(int32, (action) => action.callDepth),
    call_operation_type: value(
      word(callOperationTypes),
      (action) => callOperationTypes[action.callOperationType ?? 0] ?? callOperationTypes[0]!,
    ),
    call_type: value(word(callTypes), (action) => callTypes[action.callType ?? 0] ?? callTypes[0]!),
    caller: value(entityId, (action) => action.caller),
    caller_type: nullable(parties, (action) => action.callerType),
    from: value(
      evmAddress,
      (action) => ({ evmAddress: null, id: action.caller }),
      'The address that its number makes.',
    ),
    gas: value(int64, (action) => action.gas),
    gas_used: value(int64, (action) => action.gasUsed),
    index: value(int32, (action) => action.index, 'Position among the calls of the transaction.'),
    input: value(hex, (action) => action.input),
    recipient: value(entityId, ({ recipient }) => recipient?.id ?? null),
    recipient_type: nullable(parties, ({ recipient }) => recipient?.type ?? null),
    result_data: value(hex, (action) => action.resultData),
    result_data_type: optional(
      word(Object.values(resultDataTypes)),
      (action) => resultDataTypes[action.resultDataType],
    ),
    timestamp: value(timestamp, (action) => action.consensusTimestamp),
    to: value(target, (action) => action),
    value: value(int64, (action) => action.value, 'Tinybar.'),
  },
  { name: 'ContractAction' },
);

export const listContractActions = endpoint({
  path: '/api/v1/contracts/results/{transactionIdOrHash}/actions',
  id: 'listContractActions',
  tag: 'Contracts',
  summary: 'Calls inside a transaction',
  in: { transactionIdOrHash: executionInPath },
  query: {
    index: {
      ...range(indexText, 'Position of the call. Of several, all must hold.'),
      // `ne` is refused like others, but after them.
      schema: (context) => several(compared(indexText.form(context), ['eq', 'lt', 'lte', 'gt', 'gte']), context),
    },
    ...page({ order: 'asc', by: 'position' }),
  },
  check: (_values, query) => refuseNotEqual(query, 'index', 'Invalid parameter: index'),
  queryFirst: true,
  several: () => true,
  async ask({ path, query }, { ledger }) {
    const { index, order, limit } = query;
    const execution = await ledger.contractResults.locate(path.transactionIdOrHash);
    return execution && ledger.contractResults.listActions({ execution, index, order, limit });
  },
  next: ['index'],
  answer: pageOf('actions', actionKind, 'ContractActions'),
  fresh: 600,
  example: {
    text: 'the calls inside an execution',
    find: ({ execution }) => execution && formatTransactionId(execution),
    missing: 'no contract has been executed yet',
  },
});
