// How the last minute's queries ended, in any protocol. A client has one vote, however much it asks, and the one that
// fares worst has none: what a single client brings about, or makes up, is no trouble of the service
// (docs/reference/status.md, Clients). Health checks, metrics and pages do not count; streams of gRPC and events last
// as long as their clients like.

import {
  addOutcomes,
  durationBoundsMs,
  type Outcome,
  type OutcomeCounts,
  type OutcomesTaken,
} from '../../../../packages/kit/shares/client-outcomes.ts';
import { everySignal, type Facts, type Signals } from '../../../../packages/status/signal-names.ts';

/** The part of a registry that is read. */
export type CountedMetrics = {
  getSingleMetric(name: string): { get(): Promise<{ values: CountedValue[] } | undefined> } | undefined;
};
type CountedValue = { labels: Partial<Record<string, string | number>>; value: number; metricName?: string };

/** Fewer than this may be chance. */
const minCounted = 3;
const percentile = 0.95;

/** @param windowMs how much of the past counts */
export function createRequestSignals(
  take: () => OutcomesTaken,
  windowMs: number,
): (now: number) => Required<Signals<'requests'>> {
  const past: { at: number; taken: OutcomesTaken }[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  return (now) => {
    const taken = take();
    // Else it may be of a longer time than is judged.
    if (now - lastAt <= windowMs) past.push({ at: now, taken });
    lastAt = now;
    // What was taken at an instant is of the time before.
    while (past.length > 0 && past[0]!.at <= now - windowMs) past.shift();
    const clients = new Map<string, OutcomeCounts>();
    for (const { taken } of past) addOutcomes(clients, taken);
    return judgeOutcomes([...clients.values()]);
  };
}

export function judgeOutcomes(clients: readonly OutcomeCounts[]): Required<Signals<'requests'>> {
  return {
    'api.requests': clients.reduce((sum, counts) => sum + sumOf(counts), 0),
    'api.errorShare': shareOfOthers(clients, 'failed'),
    // Who is alone is refused because of itself.
    'api.refusedShare': clients.length > 1 ? shareOfOthers(clients, 'refused') : 0,
    'api.p95Ms': medianOf(clients.map(({ durations }) => percentileOf(durations)).filter((ms) => ms !== null)),
  };
}

const sumOf = ({ answered, failed, refused }: OutcomeCounts): number => answered + failed + refused;

/** Mean of the clients' shares, without the client with the largest; of one client alone its share. */
function shareOfOthers(clients: readonly OutcomeCounts[], outcome: Outcome): number {
  const votes = clients
    .map((counts) => ({ share: counts[outcome] / sumOf(counts), count: counts[outcome] }))
    .sort((one, other) => other.share - one.share || other.count - one.count);
  const counted = votes.length > 1 ? votes.slice(1) : votes;
  if (counted.reduce((sum, { count }) => sum + count, 0) < minCounted) return 0;
  return counted.reduce((sum, { share }) => sum + share, 0) / counted.length;
}

/** Of an even number the lower one: of two clients the one that waits less. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.max(0, (values.length - 1) >> 1)] ?? 0;
}

/** ms, interpolated linearly between the bounds; above the last one nothing is known. null = no answer. */
function percentileOf(durations: Float64Array): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = total * percentile;
  let below = 0;
  for (const [place, upper] of durationBoundsMs.entries()) {
    const count = durations[place]!;
    const lower = durationBoundsMs[place - 1] ?? 0;
    if (below + count >= wanted) return lower + ((upper - lower) * (wanted - below)) / count;
    below += count;
  }
  return durationBoundsMs.at(-1)!;
}

/** Whether all processes of a `serve` answer, and all its databases. The page is public: machines are not named. */
export function createServingSignals(
  registry: CountedMetrics,
): () => Promise<{ values: Signals<'processes'>; facts: Facts }> {
  return async () => {
    const facts: Facts = {};
    let workersMissing: number | undefined;
    let placesLost: number | undefined;
    const workers = await registry.getSingleMetric('ledger_mirror_workers')?.get();
    const count = (state: string): number => workers?.values.find(({ labels }) => labels.state === state)?.value ?? 0;
    if (workers) {
      workersMissing = count('wanted') - count('answering');
      facts['api.workersMissing'] = `${count('answering')} of ${count('wanted')} processes answer`;
    }
    const places = await registry.getSingleMetric('ledger_mirror_database_answers')?.get();
    if (places) {
      placesLost = places.values.filter(({ value }) => value === 0).length;
      facts['database.placesLost'] =
        `${places.values.length - placesLost} of ${places.values.length} databases answer, replicas included`;
    }
    const values = everySignal<'processes'>()({
      ...(workersMissing === undefined ? {} : { 'api.workersMissing': workersMissing }),
      ...(placesLost === undefined ? {} : { 'database.placesLost': placesLost }),
    });
    return { values, facts };
  };
}
