// What a thread is given, and what comes of it: plain values.
import type { BlockFacts, Limits } from '../../evm/frame/machine.ts';
import type { Finished } from '../../evm/run/transaction.ts';

export type CallInput = {
  /** null: nobody said. */
  from: bigint | null;
  /** null: a creation. */
  to: bigint | null;
  /** tinybar */
  value: bigint;
  data: Uint8Array;
  gas: number;
  /** Whether the sender needs the value that it sends. */
  paysValue: boolean;
};

export type SlotValue = { slot: bigint; value: bigint };

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
  kind: 'call' | 'estimate';
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

export type LimitName = 'time' | 'steps' | 'memory' | 'reads';

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
  | { kind: 'stopped'; limit: LimitName }
  | { kind: 'notSupported'; called: string; asker: bigint };
