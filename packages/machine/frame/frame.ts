// One call or creation while it runs.
import type { Code } from '../base/code.ts';
import type { Halt } from '../base/halt.ts';
import type { AccountState } from '../state/account-state.ts';
import type { Action } from './action.ts';

type FrameState = 'running' | 'suspended' | 'stopped' | 'reverted' | 'halted';

export type Frame = {
  parent: Frame | null;
  depth: number;
  state: FrameState;
  /** Why it halted. */
  halt: Halt | null;
  code: Code;
  pc: number;
  gas: number;
  stack: bigint[];
  /** Items on the stack. */
  size: number;
  memory: Uint8Array;
  /** In use; the bytes behind are room to grow. A multiple of 32. */
  memoryLength: number;
  /** Whose storage, balance and address it has. */
  account: AccountState;
  caller: bigint;
  value: bigint;
  data: Uint8Array;
  /** Of the last call that it made. */
  returnData: Uint8Array;
  /** What it returns or reverts with. */
  output: Uint8Array;
  isStatic: boolean;
  isCreation: boolean;
  /** Where the parent wants the output: offset and length in its memory. */
  outputStart: number;
  outputLength: number;
  /** To return to when it fails. */
  mark: number;
  refundBefore: number;
  logsBefore: number;
  /** In the list of actions; null where it was not asked for. */
  action: Action | null;
};

export const noBytes = new Uint8Array(0);

export type FrameInput = Pick<
  Frame,
  'parent' | 'depth' | 'code' | 'gas' | 'account' | 'caller' | 'value' | 'data' | 'isStatic' | 'isCreation'
> &
  Pick<Frame, 'outputStart' | 'outputLength'>;

/** All in one shape, so that opcodes read members at fixed places. */
export function createFrame(input: FrameInput): Frame {
  return {
    parent: input.parent,
    depth: input.depth,
    state: 'running',
    halt: null,
    code: input.code,
    pc: 0,
    gas: input.gas,
    stack: [],
    size: 0,
    memory: noBytes,
    memoryLength: 0,
    account: input.account,
    caller: input.caller,
    value: input.value,
    data: input.data,
    returnData: noBytes,
    output: noBytes,
    isStatic: input.isStatic,
    isCreation: input.isCreation,
    outputStart: input.outputStart,
    outputLength: input.outputLength,
    mark: 0,
    refundBefore: 0,
    logsBefore: 0,
    action: null,
  };
}
