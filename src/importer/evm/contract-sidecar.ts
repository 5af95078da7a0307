// What sidecar records add to a transaction: the calls inside it, the storage it changed, and code recorded by a
// migration. Returns the facts that the contract result needs.
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { emptyBytes, nonEmpty, padWord } from '../columns/stored-values.ts';
import { addHookSlots, hookOfCall } from './hooks.ts';

export type SidecarFacts = {
  /** The action of call depth 0. */
  topAction: { gasUsed: bigint; isCreation: boolean } | null;
  /** Creation code of a bytecode sidecar that is not a migration's. */
  initcode: Uint8Array | null;
  /** Contracts with changed storage. */
  contractIds: bigint[];
};

export function addContractSidecars(item: BlockItem, context: ItemContext): SidecarFacts {
  const facts: SidecarFacts = { topAction: null, initcode: null, contractIds: [] };
  let actionIndex = 0;
  for (const sidecar of item.sidecars) {
    for (const action of sidecar.actions?.contractActions ?? []) {
      const index = actionIndex;
      context.guard(item, () => addAction(item, context, action, index), undefined);
      actionIndex += 1;
      if ((action.callDepth ?? 0) === 0) {
        facts.topAction = {
          gasUsed: toBigInt(action.gasUsed),
          isCreation: action.callType === proto.ContractActionType.CREATE,
        };
      }
    }
    for (const change of sidecar.stateChanges?.contractStateChanges ?? []) {
      const migration = sidecar.migration === true;
      const contractId = context.guard(item, () => addStateChanges(item, context, change, migration), null);
      if (contractId !== null) facts.contractIds.push(contractId);
    }
    const { bytecode } = sidecar;
    if (bytecode && sidecar.migration) context.guard(item, () => addMigratedCode(context, bytecode), undefined);
    else facts.initcode ??= nonEmpty(bytecode?.initcode);
  }
  return facts;
}

function addAction(item: BlockItem, context: ItemContext, action: proto.IContractAction, index: number): void {
  const { lookup } = context;
  const caller = action.callingContract
    ? { caller: lookup.contract(action.callingContract) || null, caller_type: 'CONTRACT' }
    : { caller: lookup.account(action.callingAccount) || null, caller_type: 'ACCOUNT' };
  if (!action.callingContract && !action.callingAccount) {
    context.report(item, `contract action ${index} names no caller`);
    return;
  }
  context.rows.insert('contract_action', {
    call_depth: action.callDepth ?? 0,
    call_operation_type: action.callOperationType ?? 0,
    call_type: action.callType ?? 0,
    ...caller,
    consensus_timestamp: item.consensusTimestamp,
    gas: toBigInt(action.gas),
    gas_used: toBigInt(action.gasUsed),
    index,
    input: action.input ?? emptyBytes,
    payer_account_id: item.payerAccountId,
    recipient_account: action.recipientAccount ? lookup.account(action.recipientAccount) || null : null,
    recipient_address: action.targetedAddress ?? null,
    recipient_contract: action.recipientContract ? lookup.contract(action.recipientContract) || null : null,
    ...actionResult(action),
    value: toBigInt(action.value),
  });
}

/** `result_data_type` is the field number of the `result_data` oneof, 0 if unset. */
function actionResult(action: proto.IContractAction): { result_data: Uint8Array | null; result_data_type: number } {
  if (action.output) return { result_data: action.output, result_data_type: 11 };
  if (action.revertReason) return { result_data: action.revertReason, result_data_type: 12 };
  if (action.error) return { result_data: action.error, result_data_type: 13 };
  return { result_data: null, result_data_type: 0 };
}

/**
 * Storage after the block has only written values, and those recorded by a migration. A hook's writes belong to its
 * owner.
 */
function addStateChanges(
  item: BlockItem,
  context: ItemContext,
  change: proto.IContractStateChange,
  migration: boolean,
): bigint {
  const contractId = context.lookup.contract(change.contractId);
  const hook = hookOfCall(item, context, contractId);
  if (hook) {
    const slots = (change.storageChanges ?? []).map(({ slot, valueRead, valueWritten }) => ({
      key: slot ?? emptyBytes,
      valueRead: valueRead ?? emptyBytes,
      valueWritten: valueWritten ? (valueWritten.value ?? emptyBytes) : null,
    }));
    addHookSlots(item, context, hook, slots);
    return contractId;
  }
  for (const { slot, valueRead, valueWritten } of change.storageChanges ?? []) {
    const written = valueWritten ? (valueWritten.value ?? emptyBytes) : null;
    context.rows.insert('contract_state_change', {
      consensus_timestamp: item.consensusTimestamp,
      contract_id: contractId,
      migration,
      payer_account_id: item.payerAccountId,
      slot: slot ?? emptyBytes,
      value_read: valueRead ?? emptyBytes,
      value_written: written,
    });
    if (written === null && !migration) continue;
    context.rows.upsert('contract_state', {
      contract_id: contractId,
      created_timestamp: item.consensusTimestamp,
      modified_timestamp: item.consensusTimestamp,
      slot: padWord(slot ?? emptyBytes),
      value: written ?? valueRead ?? emptyBytes,
    });
  }
  return contractId;
}

function addMigratedCode(context: ItemContext, bytecode: proto.IContractBytecode): void {
  const contractId = context.lookup.contract(bytecode.contractId);
  if (contractId === 0n) return;
  context.rows.version('entity', { id: contractId, type: 'CONTRACT' });
  context.rows.upsert('contract', { id: contractId, runtime_bytecode: bytecode.runtimeBytecode ?? emptyBytes });
}
