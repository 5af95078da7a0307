// What a run measured of both services, and on what. The tables are made of this alone, so that no table has figures of
// two runs.
import type { Costs, Side } from './measure-question.ts';

export type LedgerName = 'small' | 'large';

/** `fresh`: servers that were just started; `worn`: after all questions mixed, and a quiet minute. */
export type Round = 'fresh' | 'worn';

export type BesideRow = {
  ledger: LedgerName;
  round: Round;
  connections: number;
  request: string;
  /** Times by CPU. */
  goal: number;
  costs: Costs;
};

export type BesideReport = {
  startedAt: string;
  command: string;
  commit: string;
  rival: string;
  poolSize: number;
  machine: { cores: number; cpu: string; memoryGb: number; kernel: string; loadBefore: number };
  versions: { node: string; postgres: string };
  /** Of one measurement of one server. */
  secondsEach: number;
  ledgers: { name: LedgerName; transactions: number; questions: number; compared: number }[];
  rows: BesideRow[];
  /** Questions that were not measured: different answers, or nothing to ask about. */
  unmeasured: { ledger: LedgerName; request: string; why: string }[];
  /** Questions whose answers differ as expected. */
  expected: { ledger: LedgerName; request: string; reasons: string[] }[];
  /** MB of each server after its last row. */
  memory: { ledger: LedgerName; side: Side; residentMb: number }[];
};

export function timesByCpu({ costs }: BesideRow, side: 'mirror' | 'kept' = 'mirror'): number {
  return totalCpuMs(costs, 'rival') / totalCpuMs(costs, side);
}

function totalCpuMs(costs: Costs, side: Side): number {
  return costs[side].serverCpuMs + costs[side].postgresCpuMs;
}
