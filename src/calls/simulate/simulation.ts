// Blocks that never were: calls that run one after the other on the state that those before leave (eth_simulateV1). What
// is asked, and what comes of it: plain values, which cross to a thread.
import type { Log } from '../../../packages/machine/frame/log.ts';
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import type { AccessListItem, Outcome, SignedAuthorization, StateOverride } from '../thread/job.ts';
import type { MomentJob } from '../thread/to-job.ts';

/** Prices in weibar. A legacy transaction has one price, which is both. */
export type SimulatedCall = {
  /** 0 legacy, 1 EIP-2930, 2 EIP-1559, 4 EIP-7702. */
  type: 0 | 1 | 2 | 4;
  /** null: the treasury, as of every call that names no sender. */
  from: bigint | null;
  /** null: a creation. */
  to: bigint | null;
  /** tinybar */
  value: bigint;
  data: Uint8Array;
  /** null: what is left of the block. */
  gas: bigint | null;
  /** null: the sender's next one. */
  nonce: bigint | null;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  accessList: AccessListItem[];
  signed: SignedAuthorization[];
};

export type SimulatedOverride = StateOverride & {
  /** The precompile at its address is at that one instead, in this block. */
  movePrecompileTo?: bigint;
};

/** Numbers and timestamps rise from block to block. */
export type AskedBlock = {
  number: bigint;
  /** Seconds. */
  timestamp: bigint;
  gasLimit: bigint;
  /** Else GASLIMIT shows that of the transaction, as on the network. */
  isGasLimitGiven: boolean;
  prevRandao: bigint;
  /** null: as the rules say. */
  coinbase: bigint | null;
  /** weibar; null: none, or the price of the network where the calls are validated. */
  baseFee: bigint | null;
  blobBaseFee: bigint | null;
  overrides: SimulatedOverride[];
  calls: SimulatedCall[];
};

export type Simulation = {
  blocks: AskedBlock[];
  /** Of the block before the first: 32 bytes. */
  parentHash: bigint;
  /** Nonces, fees and balances have to be those of a transaction that could be sent. */
  validates: boolean;
  /** Logs say what hbar moves. */
  tracesTransfers: boolean;
  /** Of all calls together, and of each at most. */
  gas: number;
  callGas: number;
};

export type SimulationJob = MomentJob & { kind: 'simulate'; simulation: Simulation; nextNum: bigint };

/** `isTransfer`: of hbar, which no contract wrote. */
export type SimulatedLog = Log & { isTransfer: boolean };

export type SimulatedRun = Pick<Finished, 'status' | 'output' | 'failedChildren'> & {
  /** Of its transaction, which has no signature. */
  hash: Uint8Array;
  from: bigint;
  nonce: bigint;
  /** Limit, cut to what was left of all calls. */
  gas: number;
  isCut: boolean;
  /** weibar */
  gasPrice: bigint;
  gasUsed: number;
  /** Before refunds. */
  maxUsedGas: number;
  logs: SimulatedLog[];
};

export type SimulatedBlock = {
  hash: Uint8Array;
  parentHash: bigint;
  transactionsRoot: Uint8Array;
  receiptsRoot: Uint8Array;
  bloom: Uint8Array;
  /** weibar */
  baseFee: bigint;
  gasUsed: number;
  /** Bytes. */
  size: number;
  runs: SimulatedRun[];
};

/** Why all of it is refused. */
export type SimulationFault =
  | 'nonceTooLow'
  | 'nonceTooHigh'
  | 'feeTooLow'
  | 'tooLittleGas'
  | 'tooLittleMoney'
  | 'blockIsFull'
  | 'noSender'
  | 'longInitCode'
  | 'outOfGas'
  | 'longAnswer'
  | 'noPrecompile'
  | 'overriddenTwice';

export type SimulationEnd =
  | Extract<Outcome, { kind: 'stopped' | 'notSupported' }>
  | { kind: 'simulated'; blocks: SimulatedBlock[]; gasUsed: number }
  /** `text`: what was found. Calls before it have run. */
  | { kind: 'invalid'; fault: SimulationFault; text: string; gasUsed: number };
