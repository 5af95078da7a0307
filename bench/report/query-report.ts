// The result of a run of the query benchmark: all figures, and the machine. Kept as `report.json`; the tables and the
// plots of a report are made from this alone.

/** CPU times are ms a request. */
export type RowFigures = {
  request: string;
  scale: number;
  /** Whether the server keeps answers. */
  isCached: boolean;
  connections: number;
  /** Fresh servers first; `worn`: all requests mixed, then a quiet minute, then each again. This counts. */
  round: Round;
  /** `before`: another checkout, measured in the same seconds. */
  version: Version;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the body. */
  bytes: number;
  serverCpuMs: number;
  /** null if it cannot be measured. */
  postgresCpuMs: number | null;
  /** Measured in the same seconds: what else runs on the machine changes from one to the next. */
  bare: { perSecond: number; cpuMs: number };
};

export type Round = 'fresh' | 'worn';
export type Version = 'this' | 'before';

/** PostgreSQL's own point query, prepared, without a server before it. */
export type PointQueryFigures = {
  scale: number;
  connections: number;
  perSecond: number;
  postgresCpuMs: number | null;
};

export type QueryReport = {
  startedAt: string;
  /** Of the whole run. */
  seconds: number;
  /** Of one measurement. */
  secondsEach: number;
  /** Between the two rounds. */
  quietSeconds: number;
  /** The other checkout that was measured in the same run. */
  before: string | null;
  command: string;
  commit: string;
  machine: { cores: number; cpu: string; memoryGb: number; kernel: string; loadBefore: number; loadAfter: number };
  versions: { node: string; postgres: string };
  /** Transactions of a ledger of each scale. */
  ledgers: { scale: number; transactions: number }[];
  rows: RowFigures[];
  /** Empty without pgbench. */
  pointQueries: PointQueryFigures[];
  /** Of each server after all of its rows. */
  memory: { scale: number; version: Version; isCached: boolean; residentMb: number; maxMb: number }[];
};

/** Those of one kind, by request in the order of the run. */
export function selectRows(
  { rows }: QueryReport,
  wanted: Pick<RowFigures, 'scale' | 'isCached' | 'connections'> & Partial<Pick<RowFigures, 'round' | 'version'>>,
): Map<string, RowFigures> {
  const sought = { round: 'worn', version: 'this', ...wanted };
  const isSought = (row: RowFigures): boolean =>
    Object.entries(sought).every(([name, value]) => row[name as keyof typeof sought] === value);
  return new Map(rows.filter(isSought).map((row) => [row.request, row]));
}

/** Of server and PostgreSQL together. */
export function totalCpuMs({ serverCpuMs, postgresCpuMs }: RowFigures): number {
  return serverCpuMs + (postgresCpuMs ?? 0);
}

/** Budgets apply to this number of connections; if it was not measured, to the next smaller one. */
export function budgetConnections({ rows }: QueryReport): number {
  return chooseConnections(connectionCounts(rows));
}

export function chooseConnections(counts: readonly number[]): number {
  const sorted = counts.toSorted((a, b) => a - b);
  return sorted.findLast((count) => count <= 16) ?? sorted[0]!;
}

export function connectionCounts(rows: readonly RowFigures[]): number[] {
  return [...new Set(rows.map(({ connections }) => connections))].sort((a, b) => a - b);
}

/** Of the smallest ledger, and of the largest. */
export function reportScales({ ledgers }: QueryReport): { base: number; large: number | null } {
  const scales = ledgers.map(({ scale }) => scale).sort((a, b) => a - b);
  return { base: scales[0]!, large: scales.length > 1 ? scales.at(-1)! : null };
}
