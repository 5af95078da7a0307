// GET contracts/results/{transactionIdOrHash}/actions: a page of the calls inside a transaction. The query is validated
// before the path.

import type { ContractActionRow } from '../../../store/read/select-contract-actions.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { compared, range, several } from '../../reading/query/conditions.ts';
import { refuseNotEqual } from '../../reading/query/refuse-not-equal.ts';
import { indexText } from '../../reading/value/text-kinds.ts';
import type { Kind } from '../../values/kind.ts';
import { entityId, evmAddress, hex, int32, int64, timestamp, word } from '../../values/kinds.ts';
import { from, members, nullable, optional, part, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { formatTransactionId } from '../../values/transaction-id-text.ts';
import { longZeroAddress } from './contract-address.ts';
import { executionInPath } from './execution-path.ts';

/** By its number; one without a name is the first. */
const named = (words: readonly string[]): Kind<number | null> => ({
  schema: word(words).schema,
  write: (number) => `"${words[number ?? 0] ?? words[0]!}"`,
});
const callOperationType = named(['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2']);
const callType = named(['NO_ACTION', 'CALL', 'CREATE', 'PRECOMPILE', 'SYSTEM']);
/** By their field numbers in ContractAction. */
const resultDataTypes: Readonly<Record<number, string>> = { 11: 'OUTPUT', 12: 'REVERT_REASON', 13: 'ERROR' };
const parties = word(['ACCOUNT', 'CONTRACT']);

const recipientOf = (row: ContractActionRow): bigint | null => row.recipientAccount ?? row.recipientContract;

/** The called address, else the recipient's long-zero address. */
const target: Kind<ContractActionRow> = {
  schema: evmAddress.schema,
  write: (row) =>
    row.recipientAddress
      ? `"0x${row.recipientAddress.toString('hex').padStart(40, '0')}"`
      : longZeroAddress.write(recipientOf(row)),
};

const actionKind = members(
  {
    call_depth: int32,
    call_operation_type: callOperationType,
    call_type: callType,
    caller: entityId,
    caller_type: nullable(parties),
    from: from('caller', value(longZeroAddress, 'The address that its number makes.')),
    gas: int64,
    gas_used: int64,
    index: value(int32, 'Position among the calls of the transaction.'),
    input: hex,
    recipient: value(entityId, recipientOf),
    recipient_type: nullable(parties, (row: ContractActionRow) =>
      row.recipientAccount !== null ? 'ACCOUNT' : row.recipientContract !== null ? 'CONTRACT' : null,
    ),
    result_data: hex,
    result_data_type: optional(
      word(Object.values(resultDataTypes)),
      (row: ContractActionRow) => resultDataTypes[row.resultDataType],
    ),
    timestamp: from('consensusTimestamp', timestamp),
    to: part(target),
    value: value(int64, 'Tinybar.'),
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
  peer: { queryFirst: true },
  several: () => true,
  async ask({ path, query }, { ledger }) {
    const execution = await ledger.contractResults.locate(path.transactionIdOrHash);
    return execution && ledger.contractResults.listActions({ ...execution, ...query });
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
