// What all frames of a transaction share.
import { Stop } from '../base/halt.ts';
import type { PrecompileEntry } from '../precompiles/precompile.ts';
import type { Rules } from '../rules/rules.ts';
import type { AccountState } from '../state/account-state.ts';
import type { World } from '../state/world.ts';
import type { Action, ActionType } from './action.ts';
import type { BlockFacts } from './block-facts.ts';
import type { Frame } from './frame.ts';
import type { Log } from './log.ts';
import type { SystemContract } from './system-contract.ts';

export type Limits = {
  steps: number;
  /** Bytes, of all frames that are open, of logs and of what actions keep. */
  memory: number;
  reads: number;
  missing: number;
  /** After the first fact was found missing: what is still found is guessed. */
  stepsAfterMissing: number;
};

/**
 * Called for each opcode and each frame, where a caller listens. What it gets is the machine's own: to be read at once,
 * and not kept.
 */
export type Tracer = {
  before?(frame: Frame, opcode: number, machine: Machine): void;
  /** Also where the opcode halted, or began a call. */
  after?(frame: Frame, opcode: number, machine: Machine): void;
  /** Before SSTORE looks at the gas that is left; code runs as fast as without a tracer where only this is heard. */
  store?(frame: Frame): void;
  /** Precompiles and system contracts have frames without opcodes. */
  enter?(frame: Frame, type: ActionType, machine: Machine): void;
  leave?(frame: Frame, machine: Machine): void;
  /** Hbar that an opcode or the transaction moves, tinybar; what undoes it undoes what is in the journal after it. */
  transfer?(from: AccountState, to: AccountState, value: bigint, machine: Machine): void;
};

export type Opcodes = {
  handlers: readonly ((frame: Frame, machine: Machine) => void)[];
  /** By opcode. */
  gas: Uint16Array;
  /** Items that it takes. */
  takes: Uint8Array;
  /** Items that there may be before it. */
  room: Uint16Array;
};

export type Machine = {
  readonly rules: Rules;
  readonly opcodes: Opcodes;
  readonly precompiles: ReadonlyMap<bigint, PrecompileEntry>;
  readonly systemContracts: ReadonlyMap<bigint, SystemContract>;
  readonly world: World;
  readonly block: BlockFacts;
  readonly origin: bigint;
  readonly gasPrice: bigint;
  readonly gasLimit: number;
  readonly limits: Limits;
  readonly isTimeUp: (() => boolean) | undefined;
  readonly tracer: Tracer | undefined;
  /** Gas of creating the account that a value is sent to, by the ledger's fees. */
  readonly lazyCreationGas: number;
  /** An account that is no contract may send as much as this, though it has less. */
  readonly leastBalance: bigint;
  /** The frame that runs; null: all are done. */
  frame: Frame | null;
  refund: number;
  readonly logs: Log[];
  readonly failedChildren: string[];
  /** Addresses of accounts whose authorizations were carried out. */
  readonly authorities: bigint[];
  /** null: they were not asked for. */
  readonly actions: Action[] | null;
  memory: number;
  /** Until the next look at the limits. */
  countdown: number;
  steps: number;
  stepsAtMissing: number | null;
};

/** Steps between two looks at the limits: less than a millisecond. */
export const lookEvery = 4096;

/** In the heap, of a change that can be undone, with what it changed, and of a log. */
const changeBytes = 200;

/** Throws Stop. */
export function lookAtLimits(machine: Machine): void {
  const { limits, world, logs } = machine;
  machine.countdown = lookEvery;
  machine.steps += lookEvery;
  if (machine.steps > limits.steps) throw new Stop('steps');
  if (machine.memory + (world.journal.mark() + logs.length) * changeBytes > limits.memory) throw new Stop('memory');
  lookAtTime(machine);
  if (world.reads.missing.length === 0) return;
  machine.stepsAtMissing ??= machine.steps;
  if (machine.steps - machine.stepsAtMissing > limits.stepsAfterMissing) throw new Stop('missing');
}

/** Throws Stop. */
export function lookAtTime({ isTimeUp }: Machine): void {
  if (isTimeUp?.()) throw new Stop('time');
}

/** Throws Stop. */
export function takeMemory(machine: Machine, bytes: number): void {
  machine.memory += bytes;
  if (machine.memory > machine.limits.memory) throw new Stop('memory');
}
