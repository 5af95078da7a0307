import type { StreamSource } from '../../sources/stream-source.ts';

/** A source that ends after so many of its units. */
export function firstUnits(source: StreamSource, count: number): StreamSource {
  return {
    ...source,
    async *units(options) {
      let given = 0;
      for await (const unit of source.units(options)) {
        if (given === count) return;
        given += 1;
        yield unit;
      }
    },
  };
}
