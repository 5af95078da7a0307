// A call inside a transaction, as an item of its list.

import type { ContractActionRow } from '../../../packages/store/read/select-contract-actions.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import type { Kind } from '../../api/values/kind.ts';
import { entityId, evmAddress, hex, int32, int64, numbered, timestamp, word } from '../../api/values/kinds.ts';
import { from, members, nullable, optional, part, value } from '../../api/values/members.ts';
import { longZeroAddress } from './contract-address.ts';
import { decodedOfAction } from './decoded/decoded-members.ts';

const callOperationType = numbered(
  ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'],
  'UNKNOWN',
);
const callType = numbered(['NO_ACTION', 'CALL', 'CREATE', 'PRECOMPILE', 'SYSTEM'], 'NO_ACTION');
/** By their field numbers in ContractAction. */
const resultDataTypes: Readonly<Record<number, string>> = { 11: 'OUTPUT', 12: 'REVERT_REASON', 13: 'ERROR' };
const parties = word(['ACCOUNT', 'CONTRACT']);

/** What was called: an account, a contract, or what has an address only. */
type Recipient = Pick<ContractActionRow, 'recipientAccount' | 'recipientAddress' | 'recipientContract'>;

const recipientOf = (row: Recipient): bigint | null => row.recipientAccount ?? row.recipientContract;

/** The address that was called, else the one that the recipient's number makes. */
const target: Kind<Recipient> = {
  schema: evmAddress.schema,
  write: (row) =>
    row.recipientAddress
      ? `"0x${row.recipientAddress.toString('hex').padStart(40, '0')}"`
      : longZeroAddress.write(recipientOf(row)),
};

const actionTable = {
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
  recipient_type: nullable(parties, (row: Recipient) =>
    row.recipientAccount !== null ? 'ACCOUNT' : row.recipientContract !== null ? 'CONTRACT' : null,
  ),
  result_data: hex,
  result_data_type: optional(
    word(Object.values(resultDataTypes)),
    (row: Pick<ContractActionRow, 'resultDataType'>) => resultDataTypes[row.resultDataType],
  ),
  timestamp: from('consensusTimestamp', timestamp),
  to: part(target),
  value: value(int64, 'Tinybar.'),
};

/** Its select list. */
export const { members: actionMembers } = members(actionTable);

export function createContractActionKind({ dialect }: ReadingContext) {
  return members({ ...actionTable, ...(dialect.hasOwnEndpoints ? decodedOfAction : {}) }, { name: 'ContractAction' });
}
