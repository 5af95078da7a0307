// What a thread is given, and what comes of it: plain values.
import type { BlockFacts } from '../../../packages/machine/frame/block-facts.ts';
import type { Limits } from '../../../packages/machine/frame/machine.ts';
import type { Authorization } from '../../../packages/machine/run/authorize.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import type { StateBlockName } from '../../store/read/state/select-state-block.ts';
import type { TraceOptions } from '../trace/open-trace.ts';

export type CallInput = {
  /** null: not given. */
  from: bigint | null;
  /** null: a creation. */
  to: bigint | null;
  /** tinybar */
  value: bigint;
  data: Uint8Array;
  gas: number;
  /** Whether the sender needs the value that it sends. */
  paysValue: boolean;
  /** Of a transaction that happened. */
  transaction?: PastTransaction;
};

export type CallQuestion = CallInput & {
  estimate: boolean;
  /** null = now. */
  block: StateBlockName | null;
  overrides: StateOverride[];
};

export type PastTransaction = {
  /** Of an Ethereum transaction; the sender has it then. */
  nonce: bigint | null;
  /** Of contracts, after it: the ledger has no others of the past. */
  noncesAfter: { num: bigint; nonce: bigint }[];
  accessList: { address: bigint; slots: bigint[] }[];
  authorizations: Authorization[];
  /**
   * Of the contract that it created itself, if that is not made of sender and nonce; that of the next entity where none
   * is known.
   */
  createAt: bigint | 'next' | null;
};

type SlotValue = { slot: bigint; value: bigint };

/** Instead of what the ledger says about an account. */
export type StateOverride = {
  address: bigint;
  balance?: bigint;
  nonce?: bigint;
  code?: Uint8Array;
  /** All of its storage; slots that are not listed are zero. */
  state?: SlotValue[];
  /** Only these slots. */
  stateDiff?: SlotValue[];
};

export type Job = {
  kind: 'call' | 'estimate' | 'trace';
  /** Of a trace. */
  trace?: TraceOptions;
  input: CallInput;
  /** See Moment. */
  moment: { key: string; isPresent: boolean };
  block: BlockFacts;
  /** Name of the version of the machine. */
  version: string;
  /** tinybar */
  gasPrice: bigint;
  nextNum: bigint;
  overrides: StateOverride[];
  limits: Partial<Limits>;
  timeMs: number;
};

/** What the ledger says about a transaction, too. */
export type TracedRun = Pick<Finished, 'status' | 'output' | 'gasConsumed' | 'logs' | 'created'> & {
  /** Slots whose value changed, or that were read. */
  slots: { num: bigint; slot: bigint; valueRead: bigint; valueWritten: bigint }[];
};

type LimitName = 'time' | 'steps' | 'memory' | 'reads';

export type Outcome =
  | {
      kind: 'finished';
      run: Pick<Finished, 'status' | 'output' | 'gasUsed' | 'isBelowIntrinsic' | 'failedChildren'>;
      runs: number;
    }
  /** It was an estimate, and this is the gas. */
  | { kind: 'estimated'; gas: number; runs: number }
  /** Refused before it ran. */
  | { kind: 'noSender' }
  | { kind: 'noContract' }
  /** It was a trace: `body` is JSON, compressed. */
  | { kind: 'traced'; body: Uint8Array; run: TracedRun }
  | { kind: 'stopped'; limit: LimitName }
  | { kind: 'notSupported'; called: string; asker: bigint };
