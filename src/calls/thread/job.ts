// What a thread is given, and what comes of it: plain values.
import type { BlockFacts } from '../../../packages/machine/frame/block-facts.ts';
import type { Limits } from '../../../packages/machine/frame/machine.ts';
import type { Authorization, AuthorizationSignature } from '../../../packages/machine/run/authorize.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import type { StateBlockName } from '../../../packages/store/read/state/select-state-block.ts';
import type { TraceOptions } from '../trace/open-trace.ts';

export type CallInput = {
  /** null: not given. */
  from: bigint | null;
  /** Whether a contract that is named as sender sends itself; elsewhere the treasury sends instead of it. */
  contractSends?: boolean;
  /** Whether a contract that is not there at that block is an address without code; elsewhere the call is refused. */
  callsMissing?: boolean;
  /** null: a creation. */
  to: bigint | null;
  /** tinybar */
  value: bigint;
  data: Uint8Array;
  gas: number;
  /** Whether the sender needs the value that it sends. */
  paysValue: boolean;
  accessList?: AccessListItem[];
  authorizations?: Authorization[];
  /** Instead of these: who signed is found out where the call runs, since that takes a while. */
  signed?: SignedAuthorization[];
  /** Of a transaction that happened. */
  transaction?: PastTransaction;
};

/** Instead of the facts of the block that the contract would see. */
export type BlockOverrides = Partial<BlockFacts>;

export type AccessListItem = { address: bigint; slots: bigint[] };

export type SignedAuthorization = Omit<Authorization, 'authority'> & { signature: AuthorizationSignature };

export type CallQuestion = CallInput & {
  estimate: boolean;
  /** null = now. */
  block: StateBlockName | null;
  overrides: StateOverride[];
  blockOverrides?: BlockOverrides;
  /** Instead of a call: the access list with which it would run. No estimate then. */
  listsAccess?: boolean;
  /** The same for traces of it, and of what runs after it on the state that it leaves. */
  traces?: TraceOptions[];
  next?: TracedInput[];
};

export type TracedInput = CallInput & { traces: TraceOptions[] };

export type PastTransaction = {
  /** Of an Ethereum transaction; the sender has it then. */
  nonce: bigint | null;
  /** Of contracts, after it: the ledger has no others of the past. */
  noncesAfter: { num: bigint; nonce: bigint }[];
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
  kind: 'call' | 'estimate' | 'accessList' | 'trace' | 'traceCalls';
  /** Of a trace. */
  trace?: TraceOptions;
  /** Of traces of calls. The first has the job's input. */
  steps?: TracedInput[];
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
      run: Pick<Finished, 'status' | 'halt' | 'output' | 'gasUsed' | 'isBelowIntrinsic' | 'failedChildren'>;
      runs: number;
      /** With which it ran; of a question that asked for it, where the run began. */
      accessList?: AccessListItem[];
    }
  /** It was an estimate, and this is the gas. */
  | { kind: 'estimated'; gas: number; runs: number }
  /** Refused before it ran. */
  | { kind: 'noSender' }
  | { kind: 'noContract' }
  /** It was a trace: `body` is JSON, compressed. */
  | { kind: 'traced'; body: Uint8Array; run: TracedRun }
  /** They were traces of calls: of each what was asked for, as of a trace. */
  | { kind: 'tracedCalls'; bodies: Uint8Array[][]; gasConsumed: number }
  | { kind: 'stopped'; limit: LimitName }
  | { kind: 'notSupported'; called: string; asker: bigint };
