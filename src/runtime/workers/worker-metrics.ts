// The metrics of several processes as those of one. The counts of an ended process stay: a counter never decreases.
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { MetricSnapshot, ToWorker } from './worker-messages.ts';

export type WorkerMetricsOptions = {
  /** Of this process. */
  own: Registry;
  /** Numbers of the running workers. */
  workers(): Iterable<number>;
  tellAll(message: ToWorker): void;
};

const answerWithinMs = 1_000;
const countedTypes = ['counter', 'histogram'];

export function createWorkerMetrics({ own, workers, tellAll }: WorkerMetricsOptions) {
  const latest = new Map<number, MetricSnapshot>();
  let ended: MetricSnapshot = [];
  const waits = new Map<number, { left: Set<number>; done(): void }>();
  let questions = 0;

  function settle(id: number, worker: number): void {
    const wait = waits.get(id);
    wait?.left.delete(worker);
    if (wait?.left.size === 0) wait.done();
  }

  return {
    /** A worker's metrics. `id`: of the question, null if none was asked. */
    note(worker: number, id: number | null, metrics: MetricSnapshot): void {
      latest.set(worker, metrics);
      if (id !== null) settle(id, worker);
    },
    /** It has ended. */
    async retire(worker: number): Promise<void> {
      for (const id of waits.keys()) settle(id, worker);
      const counted = (latest.get(worker) ?? []).filter(({ type }) => countedTypes.includes(String(type)));
      latest.delete(worker);
      ended = await snapshotOf(AggregatorRegistry.aggregate([ended, counted]));
    },
    /** Current metrics of each, or its last ones if it does not answer in time. */
    async gather(): Promise<Registry> {
      const id = questions++;
      const { promise, resolve } = Promise.withResolvers<void>();
      const left = new Set(workers());
      waits.set(id, { left, done: resolve });
      const timer = setTimeout(resolve, answerWithinMs);
      tellAll({ kind: 'tellMetrics', id });
      if (left.size === 0) resolve();
      await promise;
      clearTimeout(timer);
      waits.delete(id);
      return AggregatorRegistry.aggregate([ended, ...latest.values(), await snapshotOf(own)]);
    },
  };
}

export async function snapshotOf(registry: Registry): Promise<MetricSnapshot> {
  return (await registry.getMetricsAsJSON()) as MetricSnapshot;
}
