// What a run measured of both services, and on what. The tables are made of this alone, so that no table has figures of
// two runs.
import type { Cost, Costs, Side } from './measure-question.ts';

/** `large of 3,000,000` where there are several. */
export type LedgerName = 'small' | `large${string}`;

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
  /** null = ours alone was measured. */
  rival: string | null;
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

/** NaN where ours alone was measured. */
export function timesByCpu({ costs }: BesideRow, side: 'mirror' | 'kept' = 'mirror'): number {
  return costs.rival === null ? Number.NaN : totalCpuMs(costs.rival) / totalCpuMs(costs[side]);
}

export function totalCpuMs({ serverCpuMs, postgresCpuMs }: Cost): number {
  return serverCpuMs + postgresCpuMs;
}
