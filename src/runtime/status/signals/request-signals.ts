// How the last minute's queries were answered, from the counters for Prometheus: share of failures, in any protocol, and the
// 95th percentile of REST and JSON-RPC together. Streams of gRPC and events last as long as their clients like.
// Health checks, metrics and pages do not count.
import type { Facts, Signals } from '../../../status/signal-names.ts';

/** The part of a registry that is read. */
export type CountedMetrics = {
  getSingleMetric(name: string): { get(): Promise<{ values: CountedValue[] } | undefined> } | undefined;
};
type CountedValue = { labels: Partial<Record<string, string | number>>; value: number; metricName?: string };

/** Fewer failures than this may be chance. */
const minErrors = 3;
const queryRoutes = /^(?:\/(?:spec|hiero))?\/api\/v1\//i;
/** Answers in other protocols than REST, and the codes of those that failed by a fault of the service. */
const doors: readonly { name: string; failed: readonly string[] }[] = [
  { name: 'rpc_requests_total', failed: ['-32603', '-32010'] },
  { name: 'grpc_calls_total', failed: ['UNKNOWN', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED'] },
  { name: 'block_node_calls_total', failed: ['UNKNOWN', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'ERROR', 'NOT_FOUND'] },
];
const percentile = 0.95;

/** Whose durations count. A relay waits for the network. */
const timed: readonly { name: string; counts(labels: CountedValue['labels']): boolean }[] = [
  { name: 'http_request_duration_seconds', counts: ({ route }) => queryRoutes.test(String(route)) },
  { name: 'rpc_request_duration_seconds', counts: ({ method }) => method !== 'eth_sendRawTransaction' },
];

/** Cumulative, by upper bound. */
type Buckets = Map<number, number>;
/** `buckets`: of each histogram of `timed`. */
type Counts = { at: number; requests: number; errors: number; buckets: Buckets[] };

/** @param windowMs how much of the past counts */
export function createRequestSignals(
  registry: CountedMetrics,
  windowMs: number,
): (now: number) => Promise<Required<Signals<'requests'>>> {
  const past: Counts[] = [];
  return async (now) => {
    const latest = await count(registry, now);
    while (past.length > 1 && past[1]!.at <= now - windowMs) past.shift();
    const first = past[0] ?? latest;
    past.push(latest);
    const requests = latest.requests - first.requests;
    const errors = latest.errors - first.errors;
    return {
      'api.requests': requests,
      'api.errorShare': errors >= minErrors ? errors / requests : 0,
      'api.p95Ms': findPercentile(first, latest) * 1000,
    };
  };
}

async function count(registry: CountedMetrics, at: number): Promise<Counts> {
  const counts: Counts = { at, requests: 0, errors: 0, buckets: [] };
  const requests = await registry.getSingleMetric('http_requests_total')?.get();
  for (const { labels, value } of requests?.values ?? []) {
    if (!queryRoutes.test(String(labels.route))) continue;
    counts.requests += value;
    if (Number(labels.status) >= 500) counts.errors += value;
  }
  for (const { name, failed } of doors) {
    const answered = await registry.getSingleMetric(name)?.get();
    for (const { labels, value } of answered?.values ?? []) {
      counts.requests += value;
      if (failed.includes(String(labels.code))) counts.errors += value;
    }
  }
  for (const { name, counts: isCounted } of timed) {
    const buckets: Buckets = new Map();
    const durations = await registry.getSingleMetric(name)?.get();
    for (const { labels, value, metricName } of durations?.values ?? []) {
      if (!metricName?.endsWith('_bucket') || !isCounted(labels)) continue;
      const bound = Number(labels.le === '+Inf' ? Number.POSITIVE_INFINITY : labels.le);
      buckets.set(bound, (buckets.get(bound) ?? 0) + value);
    }
    counts.buckets.push(buckets);
  }
  return counts;
}

/** Seconds, interpolated linearly within its bucket; 0 without requests. The histograms have different bounds. */
function findPercentile(first: Counts, latest: Counts): number {
  const all = latest.buckets.map((buckets, place) => toSteps(buckets, first.buckets[place]!));
  const bounds = [...new Set(all.flatMap((steps) => steps.map(({ bound }) => bound)))].sort((a, b) => a - b);
  const cumulative = bounds.map((bound) => all.reduce((sum, steps) => sum + countUpTo(steps, bound), 0));
  const total = cumulative.at(-1) ?? 0;
  if (total === 0) return 0;
  const wanted = total * percentile;
  const index = cumulative.findIndex((value) => value >= wanted);
  const lower = index > 0 ? bounds[index - 1]! : 0;
  const below = index > 0 ? cumulative[index - 1]! : 0;
  const upper = bounds[index]!;
  if (!Number.isFinite(upper)) return lower;
  return lower + ((upper - lower) * (wanted - below)) / (cumulative[index]! - below);
}

type Step = { bound: number; count: number };

function toSteps(latest: Buckets, first: Buckets): Step[] {
  const steps = [...latest].map(([bound, count]) => ({ bound, count: count - (first.get(bound) ?? 0) }));
  return steps.sort((one, other) => one.bound - other.bound);
}

function countUpTo(steps: readonly Step[], bound: number): number {
  let last: Step = { bound: 0, count: 0 };
  for (const step of steps) {
    if (step.bound === bound) return step.count;
    if (step.bound > bound) {
      if (!Number.isFinite(step.bound)) return last.count;
      return last.count + ((step.count - last.count) * (bound - last.bound)) / (step.bound - last.bound);
    }
    last = step;
  }
  return last.count;
}

/** Whether all processes of a `serve` answer, and all its databases. The page is public: machines are not named. */
export function createServingSignals(
  registry: CountedMetrics,
): () => Promise<{ values: Signals<'processes'>; facts: Facts }> {
  return async () => {
    const values: Signals<'processes'> = {};
    const facts: Facts = {};
    const workers = await registry.getSingleMetric('ledger_mirror_workers')?.get();
    const count = (state: string): number => workers?.values.find(({ labels }) => labels.state === state)?.value ?? 0;
    if (workers) {
      values['api.workersMissing'] = count('wanted') - count('answering');
      facts['api.workersMissing'] = `${count('answering')} of ${count('wanted')} processes answer`;
    }
    const places = await registry.getSingleMetric('ledger_mirror_database_answers')?.get();
    if (places) {
      const lost = places.values.filter(({ value }) => value === 0).length;
      values['database.placesLost'] = lost;
      facts['database.placesLost'] =
        `${places.values.length - lost} of ${places.values.length} databases answer, replicas included`;
    }
    return { values, facts };
  };
}
