// Begins a message call: of a contract, of a system contract, of a precompile, or of an address without an account.
import { type Code, codeOf, noCode } from '../base/code.ts';
import { Halt, halts } from '../base/halt.ts';
import type { ActionOperation, ActionType } from '../frame/action.ts';
import { createFrame, type Frame, noBytes } from '../frame/frame.ts';
import { lookAtLimits, lookAtTime, type Machine, takeMemory } from '../frame/machine.ts';
import type { SystemCall, SystemContract } from '../frame/system-contract.ts';
import type { PrecompileEntry } from '../precompiles/precompile.ts';
import { accountFacadeOf } from '../rules/facades.ts';
import type { AccountState } from '../state/account-state.ts';
import { beginAction } from './actions.ts';
import { endFrame, haltFrame } from './end-frame.ts';
import { isSystemAccount, sendValue } from './transfer.ts';

export type CallInput = {
  operation: ActionOperation;
  /** null: the transaction itself. */
  parent: Frame | null;
  /** Whose code runs. */
  codeAddress: bigint;
  /** Whose storage and address it has. */
  recipient: AccountState;
  /** CALLER. */
  caller: bigint;
  /** Who pays the value; the same as `caller` but for its form. */
  sender: AccountState;
  /** CALLVALUE. */
  value: bigint;
  /** The value is sent: not by DELEGATECALL and CALLCODE. */
  sends: boolean;
  data: Uint8Array;
  gas: number;
  isStatic: boolean;
  outputStart: number;
  outputLength: number;
};

/** Returns its frame, which may have ended already. */
export function startCall(machine: Machine, input: CallInput): Frame {
  const { world, actions } = machine;
  const { parent, codeAddress, recipient, sends, value } = input;
  const depth = parent === null ? 0 : parent.depth + 1;
  const mark = world.journal.mark();
  const refundBefore = machine.refund;
  const logsBefore = machine.logs.length;
  const callee = world.account(codeAddress);
  const code = codeToRun(machine, callee, input.data);
  const frame = createFrame({
    parent,
    depth,
    code,
    gas: input.gas,
    account: recipient,
    caller: input.caller,
    value,
    data: input.data,
    isStatic: input.isStatic,
    isCreation: false,
    outputStart: input.outputStart,
    outputLength: input.outputLength,
  });
  frame.mark = mark;
  frame.refundBefore = refundBefore;
  frame.logsBefore = logsBefore;
  machine.frame = frame;
  if (parent !== null) parent.state = 'suspended';

  const target = machine.rules.fork.delegates && code.delegate !== null ? code.delegate : codeAddress;
  const system = machine.systemContracts.get(target);
  const precompile = machine.precompiles.get(codeAddress);
  // Those that a caller gave code run it.
  const hasOwnCode = callee.code.bytes.length > 0 && callee.code.delegate === null;
  const isSystem = isSystemAccount(codeAddress, machine) && !hasOwnCode;
  const type: ActionType =
    system !== undefined ? 'SYSTEM' : precompile !== undefined || isSystem ? 'PRECOMPILE' : 'CALL';
  if (actions !== null) {
    const { operation, caller, gas, data } = input;
    frame.action = beginAction(machine, { type, operation, depth, caller, target: callee, gas, value, input: data });
  }
  machine.tracer?.enter?.(frame, type, machine);
  try {
    if (system !== undefined) runSystemContract(machine, frame, system, input, target);
    else if (isSystem) callSystemAccount(machine, frame, precompile, sends && value > 0n);
    else {
      if (sends && value > 0n) {
        frame.gas -= sendValue(input.sender, recipient, codeAddress, value, frame.gas, machine);
      }
      if (precompile !== undefined) runPrecompile(machine, frame, precompile);
      else if (code.bytes.length === 0) finish(machine, frame, 'stopped', noBytes);
    }
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    haltFrame(frame, error);
    endFrame(frame, machine);
  }
  return frame;
}

/**
 * The callee's own, or that of the address it names (EIP-7702). An account's own functions go before those that it
 * delegates to.
 */
function codeToRun(machine: Machine, { code, facts, address }: AccountState, data: Uint8Array): Code {
  const { rules } = machine;
  if (facts?.kind === 'account' && (code.bytes.length === 0 || code.delegate !== null)) {
    const facade = accountFacadeOf(address, data, rules);
    if (facade !== null) return codeOf(facade);
  }
  const isFacade = facts?.kind === 'token' || facts?.kind === 'schedule';
  return isFacade || code.delegate === null || !rules.fork.delegates ? code : delegatedCode(machine, code.delegate);
}

/** Accounts cannot delegate to what has no code of its own: nothing runs then (HIP-1340). */
function delegatedCode(machine: Machine, address: bigint): Code {
  const { world, systemContracts, precompiles } = machine;
  if (systemContracts.has(address) || precompiles.has(address) || isSystemAccount(address, machine)) return noCode;
  const { code } = world.account(address);
  return code.delegate === null ? code : noDelegation;
}

/** Code that delegates again is run as it is, and 0xef is no opcode. */
const noDelegation = codeOf(Uint8Array.of(0xef));

function finish(machine: Machine, frame: Frame, state: 'stopped' | 'reverted', output: Uint8Array): void {
  frame.state = state;
  frame.output = output;
  endFrame(frame, machine);
}

function callSystemAccount(
  machine: Machine,
  frame: Frame,
  precompile: PrecompileEntry | undefined,
  sendsValue: boolean,
): void {
  if (sendsValue) throw halts.valueToSystem;
  if (precompile !== undefined) runPrecompile(machine, frame, precompile);
  else {
    frame.gas = 0;
    finish(machine, frame, 'stopped', noBytes);
  }
}

function runPrecompile(machine: Machine, frame: Frame, { gas, run }: PrecompileEntry): void {
  const price = gas(frame.data);
  frame.gas -= price;
  if (frame.gas < 0) throw halts.outOfGas;
  // Its work counts as steps, so that the limits are looked at in time.
  machine.countdown -= price >>> 3;
  if (machine.countdown < 0) lookAtLimits(machine);
  const output = run(frame.data, () => lookAtTime(machine));
  if (output === null) throw halts.precompile;
  finish(machine, frame, 'stopped', output);
}

/** Of a frame that runs code of another account, to which its own did not delegate. */
function isBorrowed(frame: Frame | null, machine: Machine): boolean {
  if (frame === null || frame.isCreation) return false;
  const { code } = frame.account;
  return frame.code !== (code.delegate === null ? code : delegatedCode(machine, code.delegate));
}

function runSystemContract(
  machine: Machine,
  frame: Frame,
  contract: SystemContract,
  { operation, codeAddress, caller, sender, sends }: CallInput,
  address: bigint,
): void {
  const { world, logs, origin } = machine;
  const { data, value, gas, isStatic, depth, account } = frame;
  const isDelegate = operation === 'DELEGATECALL' || operation === 'CALLCODE';
  const call: SystemCall = {
    address,
    recipient: account.address,
    caller,
    origin,
    data,
    value,
    gas,
    isStatic,
    // A proxy runs its own code.
    isBorrowed: !isDelegate && isBorrowed(frame.parent, machine),
    isDelegate,
    isFacade: address !== codeAddress,
    depth,
  };
  if (sends && value > 0n) {
    if (call.isFacade) frame.gas -= sendValue(sender, account, codeAddress, value, frame.gas, machine);
    else if (!contract.takesValue(call)) throw halts.valueToSystem;
  }
  const outcome = contract.run(call, {
    world,
    block: machine.block,
    lookAtTime: () => lookAtTime(machine),
    addFailure: (status) => {
      machine.failedChildren.push(status);
    },
    addLog: (log) => {
      takeMemory(machine, log.data.length);
      logs.push(log);
    },
  });
  if (outcome.kind === 'halt') throw outcome.halt;
  // As with precompiles, so that the limits are looked at in time.
  machine.countdown -= outcome.gas >>> 3;
  if (machine.countdown < 0) lookAtLimits(machine);
  frame.gas -= outcome.gas;
  if (frame.gas < 0) throw halts.outOfGas;
  finish(machine, frame, outcome.kind === 'success' ? 'stopped' : 'reverted', outcome.output);
}
