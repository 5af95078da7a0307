import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { writeMetrics } from './write-metrics.ts';

test('metrics are those of the registry', async () => {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'c', help: 'counts "all"', labelNames: ['a'], registers }).inc({ a: 'x\ny' }, 3);
  new Gauge({
    name: 'g',
    help: 'now',
    registers,
    collect() {
      this.set(4);
    },
  });
  new Histogram({ name: 'h', help: 'times', buckets: [1, 2], registers }).observe(1.5);
  expect(await writeMetrics(registry)).toBe(await registry.metrics());
});
