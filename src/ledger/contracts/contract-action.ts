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
    callDepth: row.callDepth,
    callOperationType: row.callOperationType,
    callType: row.callType,
    caller: row.caller,
    callerType: row.callerType,
    consensusTimestamp: row.consensusTimestamp,
    gas: row.gas,
    gasUsed: row.gasUsed,
    index: row.index,
    input: row.input,
    recipient: toRecipient(row),
    recipientAddress: row.recipientAddress,
    resultData: row.resultData,
    resultDataType: row.resultDataType,
    value: row.value,
  };
}

function toRecipient(row: ContractActionRow): ContractAction['recipient'] {
  if (row.recipientAccount !== null) return { id: row.recipientAccount, type: 'ACCOUNT' };
  return row.recipientContract === null ? null : { id: row.recipientContract, type: 'CONTRACT' };
}
