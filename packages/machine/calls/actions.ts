// Notes each call and creation, where this was asked for.
import type { Action, ActionOperation, ActionType } from '../frame/action.ts';
import type { Frame } from '../frame/frame.ts';
import { noBytes } from '../frame/frame.ts';
import { type Machine, takeMemory } from '../frame/machine.ts';
import type { AccountState } from '../state/account-state.ts';

type Beginning = {
  type: ActionType;
  operation: ActionOperation;
  depth: number;
  caller: bigint;
  target: AccountState | null;
  gas: number;
  value: bigint;
  input: Uint8Array;
  initCode?: Uint8Array;
};

export function beginAction(machine: Machine, beginning: Beginning): Action | null {
  const { actions } = machine;
  if (actions === null) return null;
  const { target, input, initCode, ...rest } = beginning;
  takeMemory(machine, input.length + (initCode?.length ?? 0) + actionSize);
  const action: Action = {
    ...rest,
    target: target?.address ?? null,
    targetNum: target?.num ?? 0n,
    isContract: target !== null && isContract(target),
    input: input.slice(),
    initCode: initCode?.slice() ?? null,
    gasUsed: 0,
    result: 'output',
    data: noBytes,
  };
  actions.push(action);
  return action;
}

/** Bytes, about. */
const actionSize = 300;

function isContract({ facts, code, isCreated }: AccountState): boolean {
  return isCreated || facts?.kind === 'contract' || code.bytes.length > 0;
}

export function endAction(
  machine: Machine,
  action: Action | null,
  { state, gas, output, halt }: Pick<Frame, 'state' | 'gas' | 'output' | 'halt'>,
): void {
  if (action === null) return;
  takeMemory(machine, output.length);
  action.gasUsed = action.gas - gas;
  if (state === 'halted') {
    action.result = 'error';
    action.data = new TextEncoder().encode(halt!.message);
  } else {
    action.result = state === 'reverted' ? 'revert' : 'output';
    action.data = output.slice();
  }
}
