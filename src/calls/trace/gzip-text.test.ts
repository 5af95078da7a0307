import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGzipText } from './gzip-text.ts';

it('is one gzip file of all that was added', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 30 })),
      fc.integer({ min: 1, max: 20_000 }),
      (texts, times) => {
        const gzip = createGzipText();
        let whole = '';
        for (const text of texts) {
          const added = text.toWellFormed().repeat(times);
          gzip.add(added);
          whole += added;
        }
        expect(gzip.length()).toBe(whole.length);
        expect(gunzipSync(gzip.end()).toString()).toBe(whole);
      },
    ),
    { numRuns: 30 },
  );
});
