// What calls may take, and what is taken where nothing is set. Apart from the calls: every command of the program reads
// these limits with the settings, and must not load the machine for them.
import { doorShares } from '../../packages/kit/shares/door-shares.ts';
import type { GateLimits } from './throttle/call-gate.ts';

export type CallLimits = GateLimits & {
  /** Beside the one that is kept for clients that have taken little. */
  threads: number;
  /** Of one client, as all rates. */
  tracesPerSecond: number;
  prestatesPerSecond: number;
  timeMs: number;
  /** Bytes of one call. */
  memory: number;
  /** Facts of the ledger that one call may read. */
  reads: number;
  /** Opcodes that one call may run. */
  steps: number;
  /** Megabytes of the heap of a thread: what calls take there, caches, and what the engine of JavaScript needs. */
  heapMb: number;
  /** Calls that wait for a thread; with more, others are refused. */
  waiting: number;
  /** How long a call may wait for one. */
  waitMs: number;
};

export const usualLimits: CallLimits = {
  threads: 2,
  requestsPerSecond: 500,
  gasPerSecond: 7_500_000_000,
  gasRefundPercent: 100,
  filters: [],
  tracesPerSecond: 1,
  prestatesPerSecond: 100,
  timeMs: 10_000,
  memory: 256 * 2 ** 20,
  reads: 10_000,
  steps: 200_000_000,
  heapMb: 1024,
  waiting: 1000,
  // A call that runs to its limit of time ends before.
  waitMs: doorShares.calls.waitMs,
};
