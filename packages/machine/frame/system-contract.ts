// Contracts of the ledger itself, which are no code: at 0x167 and so on.
import type { Halt } from '../base/halt.ts';
import type { World } from '../state/world.ts';
import type { BlockFacts } from './block-facts.ts';
import type { Log } from './log.ts';

export type SystemCall = {
  /** The system contract. */
  address: bigint;
  /** Whose storage and address the call has: the system contract, or the contract or account that delegates to it. */
  recipient: bigint;
  /** CALLER. */
  caller: bigint;
  /** ORIGIN. */
  origin: bigint;
  data: Uint8Array;
  value: bigint;
  gas: number;
  isStatic: boolean;
  /** The frame that asked runs code of another account than its own. Where a proxy asks, the proxy's frame counts. */
  isBorrowed: boolean;
  /** By DELEGATECALL or CALLCODE. */
  isDelegate: boolean;
  /** The recipient is a facade that delegates to the system contract by its code (EIP-7702). */
  isFacade: boolean;
  depth: number;
};

export type SystemOutcome =
  | { kind: 'success'; output: Uint8Array; gas: number }
  | { kind: 'revert'; output: Uint8Array; gas: number }
  /** Takes all gas of the call. */
  | { kind: 'halt'; halt: Halt };

/**
 * Changes of `world` are undone with those of the frame; what else a system contract changes it records in
 * `world.journal`.
 */
export type SystemState = {
  world: World;
  block: BlockFacts;
  addLog(log: Log): void;
  /** To be called before work that takes a millisecond. Throws Stop. */
  lookAtTime(): void;
  /** Name of the response code; remains also when frames revert. */
  addFailure(status: string): void;
};

export type SystemContract = {
  /** Of what it answers and refuses, at its own address and behind facades; without names of arguments. */
  signatures: readonly string[];
  /** Whether the call may carry a value. */
  takesValue(call: SystemCall): boolean;
  run(call: SystemCall, state: SystemState): SystemOutcome;
};
