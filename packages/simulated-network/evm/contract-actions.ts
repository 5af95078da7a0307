// The calls within one contract transaction, as action sidecars have them.

import { writeWord } from '../../machine/base/word.ts';
import type { Action } from '../../machine/frame/action.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, contractId, toLong } from '../ledger/hapi-values.ts';

export type ContractAction = proto.IContractAction;

const { ContractActionType, CallOperationType } = proto;

const operations: Record<Action['operation'], proto.CallOperationType> = {
  CALL: CallOperationType.OP_CALL,
  CALLCODE: CallOperationType.OP_CALLCODE,
  DELEGATECALL: CallOperationType.OP_DELEGATECALL,
  STATICCALL: CallOperationType.OP_STATICCALL,
  CREATE: CallOperationType.OP_CREATE,
  CREATE2: CallOperationType.OP_CREATE2,
};

/** @param sender number of the account that the transaction is of */
export function toContractActions(actions: readonly Action[], sender: bigint): ContractAction[] {
  /** Of each depth, the newest. */
  const open: Action[] = [];
  return actions.map((action) => {
    open[action.depth] = action;
    const caller = open[action.depth - 1];
    return {
      callType: ContractActionType[action.type],
      // The contract whose code made the call.
      ...(caller ? { callingContract: contractId(caller.targetNum) } : { callingAccount: accountId(sender) }),
      gas: toLong(BigInt(action.gas)),
      input: action.input,
      value: toLong(action.value),
      callDepth: action.depth,
      callOperationType: operations[action.operation],
      ...targetOf(action),
      gasUsed: toLong(BigInt(action.gasUsed)),
      ...resultOf(action),
    };
  });
}

function targetOf({ target, targetNum, isContract, type, result }: Action): ContractAction {
  if (target === null || (type === 'CREATE' && result !== 'output')) return {};
  if (targetNum === 0n) return { targetedAddress: writeWord(target, 20) };
  return isContract ? { recipientContract: contractId(targetNum) } : { recipientAccount: accountId(targetNum) };
}

function resultOf({ result, data }: Action): ContractAction {
  if (result === 'output') return { output: data };
  return result === 'revert' ? { revertReason: data } : { error: data };
}
