// Durations as a Prometheus histogram. prom-client's looks up its labels for every value, and two values took a
// twentieth of the time of a small answer: here the caller looks up a series once and keeps it.
import type { Histogram, Registry } from 'prom-client';

export type DurationSeries = { observe(seconds: number): void };

export type DurationHistogram = {
  /** To be kept by the caller; each set of labels once. */
  addSeries(labels: Readonly<Record<string, string>>): DurationSeries;
};

export type DurationHistogramOptions = {
  name: string;
  help: string;
  /** Upper bounds, ascending, seconds. */
  buckets: readonly number[];
  registry: Registry;
};

export function createDurationHistogram({
  name,
  help,
  buckets,
  registry,
}: DurationHistogramOptions): DurationHistogram {
  const all: { labels: Readonly<Record<string, string>>; counts: number[]; sum: number }[] = [];

  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    async get() {
      return { name, help, type: 'histogram', aggregator: 'sum', values: all.flatMap(toValues) };
    },
  };
  // A registry needs only a metric's name and its text.
  registry.registerMetric(metric as unknown as Histogram);

  function toValues({ labels, counts, sum }: (typeof all)[number]) {
    let count = 0;
    const cumulative = counts.map((inBucket, i) => {
      count += inBucket;
      return { metricName: `${name}_bucket`, labels: { le: buckets[i] ?? '+Inf', ...labels }, value: count };
    });
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  return {
    addSeries(labels) {
      const series = { labels, counts: [...buckets.map(() => 0), 0], sum: 0 };
      all.push(series);
      const { counts } = series;
      return {
        observe(seconds) {
          let bucket = 0;
          while (bucket < buckets.length && seconds > buckets[bucket]!) bucket += 1;
          counts[bucket]! += 1;
          series.sum += seconds;
        },
      };
    },
  };
}
