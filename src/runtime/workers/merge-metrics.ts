// The metrics of several processes as those of one. What a process that has ended has counted stays counted: a counter never
// goes back.
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { MetricSnapshot } from './worker-messages.ts';

export type MergedMetrics = {
  /** The newest of a process. */
  note(process: number, metrics: MetricSnapshot): void;
  /** It has ended. */
  retire(process: number): Promise<void>;
  merge(): Promise<Registry>;
};

/** @param own of this process */
export function createMergedMetrics(own: Registry): MergedMetrics {
  const latest = new Map<number, MetricSnapshot>();
  let ended: MetricSnapshot = [];
  return {
    note: (process, metrics) => void latest.set(process, metrics),
    async retire(process) {
      const counted = (latest.get(process) ?? []).filter(({ type }) => countedTypes.includes(String(type)));
      latest.delete(process);
      ended = await snapshotOf(AggregatorRegistry.aggregate([ended, counted]));
    },
    async merge() {
      return AggregatorRegistry.aggregate([ended, ...latest.values(), await snapshotOf(own)]);
    },
  };
}

const countedTypes = ['counter', 'histogram'];

export async function snapshotOf(registry: Registry): Promise<MetricSnapshot> {
  return (await registry.getMetricsAsJSON()) as MetricSnapshot;
}
