// What methods answer with.

import type { Turns } from '../../../../packages/kit/turns.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Machine } from '../machine/machine.ts';
import type { Filters } from './filters.ts';

export type RpcContext = {
  ledger: Ledger;
  /** The current value. */
  readonly chainId: bigint;
  /** Of this program. */
  version: string;
  filters: Filters;
  /** Of long answers. */
  turns: Turns;
  /** Runs code on the state of a block. */
  machine: Machine;
  /** Hands a request on to a relay, which sends transactions, and gives its answer; null = there is none. */
  relay: ((params: readonly unknown[]) => Promise<unknown>) | null;
};
