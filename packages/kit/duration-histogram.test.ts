import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createDurationHistogram } from './duration-histogram.ts';

const options = { name: 'duration_seconds', help: 'How long it took.', buckets: [0.001, 0.25, 10] };

it("says of its values what prom-client's own histogram says", async () => {
  const observation = fc.tuple(
    fc.constantFrom('a', 'b "c"\\'),
    fc.oneof(fc.constantFrom(...options.buckets), fc.double({ min: 0, max: 20, noNaN: true })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(observation), async (observations) => {
      const [registry, other] = [new Registry(), new Registry()];
      const own = createDurationHistogram({ ...options, registry });
      const theirs = new Histogram({ ...options, labelNames: ['query'], registers: [other] });
      const names = [...new Set(observations.map(([name]) => name))];
      const series = new Map(names.map((query) => [query, own.addSeries({ query })]));
      for (const [query, seconds] of observations) {
        series.get(query)!.observe(seconds);
        theirs.observe({ query }, seconds);
      }
      expect(await registry.metrics()).toBe(await other.metrics());
    }),
    { numRuns: 100 },
  );
});
