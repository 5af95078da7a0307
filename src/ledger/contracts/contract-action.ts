// A call inside a transaction.
import type { ContractActionRow } from '../../store/read/select-contract-actions.ts';

export type ContractAction = {
  callDepth: number;
  /** CallOperationType and ContractActionType. */
  callOperationType: number | null;
  callType: number | null;
  caller: bigint | null;
  /** ACCOUNT or CONTRACT. */
  callerType: string | null;
  consensusTimestamp: bigint;
  gas: bigint;
  gasUsed: bigint;
  index: number;
  input: Buffer | null;
  recipient: { id: bigint; type: 'ACCOUNT' | 'CONTRACT' } | null;
  /** Where no account or contract has it, the address that was called. */
  recipientAddress: Buffer | null;
  resultData: Buffer | null;
  /** Field number in the oneof `result_data`. */
  resultDataType: number;
  value: bigint;
};

export function toContractAction(row: ContractActionRow): ContractAction {
  return {
    callDepth: row.call_depth,
    callOperationType: row.call_operation_type,
    callType: row.call_type,
    caller: row.caller,
    callerType: row.caller_type,
    consensusTimestamp: row.consensus_timestamp,
    gas: row.gas,
    gasUsed: row.gas_used,
    index: row.index,
    input: row.input,
    recipient: toRecipient(row),
    recipientAddress: row.recipient_address,
    resultData: row.result_data,
    resultDataType: row.result_data_type,
    value: row.value,
  };
}

function toRecipient(row: ContractActionRow): ContractAction['recipient'] {
  if (row.recipient_account !== null) return { id: row.recipient_account, type: 'ACCOUNT' };
  return row.recipient_contract === null ? null : { id: row.recipient_contract, type: 'CONTRACT' };
}
