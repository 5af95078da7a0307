// What is run, and what came of it.
import type { HaltStatus, Stop } from '../base/halt.ts';
import type { Action } from '../frame/action.ts';
import type { BlockFacts } from '../frame/block-facts.ts';
import type { Log } from '../frame/log.ts';
import type { Limits, Tracer } from '../frame/machine.ts';
import type { SystemContract } from '../frame/system-contract.ts';
import type { PrecompileEntry } from '../precompiles/precompile.ts';
import type { Rules } from '../rules/rules.ts';
import type { AccountKind, MissingFact, StateReader } from '../state/state-reader.ts';
import type { Authorization } from './authorize.ts';

export type Transaction = {
  /** Of the account that sends it; ORIGIN and CALLER show the account's own address. */
  sender: bigint;
  /** null: a creation. */
  to: bigint | null;
  /** Of a creation through HAPI, whose address is not made of sender and nonce. */
  createAt?: bigint;
  /** tinybar */
  value: bigint;
  /** Call data, or init code. */
  data: Uint8Array;
  gasLimit: number;
  /** tinybar; shown by GASPRICE, not charged. */
  gasPrice: bigint;
  /** Ethereum transactions use up a nonce of the sender. */
  countsNonce?: boolean;
  accessList?: readonly { address: bigint; slots: readonly bigint[] }[];
  /** Of type 4. Each costs gas, valid or not. */
  authorizations?: readonly Authorization[];
};

export type RunOptions = {
  rules: Rules;
  state: StateReader;
  block: BlockFacts;
  /** Of the next entity that is created. */
  nextNum: bigint;
  systemContracts?: ReadonlyMap<bigint, SystemContract>;
  /** Instead of those of the rules. */
  precompiles?: ReadonlyMap<bigint, PrecompileEntry>;
  /** tinybar that every plain account may send, though it has less. */
  leastBalance?: bigint;
  /** Per cent of the gas limit that may come back unused: 20 on networks, 100 for questions. */
  maxGasBack?: number;
  limits?: Partial<Limits>;
  isTimeUp?: () => boolean;
  tracer?: Tracer;
  /** Whether the result lists all calls. */
  withActions?: boolean;
};

export type RunStatus = 'SUCCESS' | 'CONTRACT_REVERT_EXECUTED' | HaltStatus | RevertedStatus;

/** What a revert whose data are these letters becomes. */
export const revertedStatuses = [
  'INSUFFICIENT_GAS',
  'INVALID_CONTRACT_ID',
  'MAX_CONTRACT_STORAGE_EXCEEDED',
  'INSUFFICIENT_TX_FEE',
  'INSUFFICIENT_PAYER_BALANCE',
  'CONTRACT_EXECUTION_EXCEPTION',
  'MAX_CHILD_RECORDS_EXCEEDED',
] as const;
type RevertedStatus = (typeof revertedStatuses)[number];

type SlotChange = { slot: bigint; valueRead: bigint; valueWritten: bigint };

/** An account that the transaction changed, or whose slots it read. */
export type AccountChange = {
  address: bigint;
  num: bigint;
  kind: AccountKind;
  isNew: boolean;
  isDeleted: boolean;
  /** Undefined where it did not change. */
  balance?: bigint;
  nonce?: bigint;
  code?: Uint8Array;
  /** Every slot that was read or written; the same value twice where it did not change. */
  slots: SlotChange[];
};

export type Finished = {
  kind: 'finished';
  status: RunStatus;
  /** Why it halted, in the machine's words; null otherwise. */
  halt: string | null;
  /** Returned bytes, the code of a creation, or what was reverted with. */
  output: Uint8Array;
  gasUsed: number;
  /** Before the network keeps its part of the unused gas. */
  gasConsumed: number;
  refund: number;
  logs: Log[];
  /** Of the contract that the transaction itself created. */
  created: bigint | null;
  changes: AccountChange[];
  actions: Action[];
  /** Names of the response codes with which calls of system contracts failed, in order. */
  failedChildren: string[];
  /** Accounts whose authorizations were carried out, which stay so; one for each. */
  authorities: readonly bigint[];
  /** It never began: the limit does not cover what every such transaction costs. */
  isBelowIntrinsic: boolean;
};

export type RunResult =
  | Finished
  /** Fetch these, and run again. */
  | { kind: 'missing'; facts: MissingFact[] }
  /**
   * A system contract was asked for `called`, a signature, by the contract or account at `asker`; it is unknown how
   * that ends.
   */
  | { kind: 'notSupported'; called: string; asker: bigint }
  | { kind: 'stopped'; limit: Exclude<Stop['limit'], 'missing'> };
