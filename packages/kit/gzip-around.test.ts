import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deflatePart, gzipAround } from './gzip-around.ts';

it('is one gzip file of all three parts', async () => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(
      ascii,
      fc.uint8Array({ maxLength: 3000 }),
      ascii,
      fc.boolean(),
      async (head, part, tail, isAside) => {
        const middle = Buffer.from(part);
        const file = Buffer.concat(gzipAround(head, await deflatePart(middle, isAside ? -1 : 3000), tail));
        expect(gunzipSync(file)).toEqual(Buffer.concat([Buffer.from(head), middle, Buffer.from(tail)]));
      },
    ),
  );
});

it('compresses, and the part can be used again', async () => {
  const part = await deflatePart(Buffer.alloc(1_000_000, 'abcd'), 0);
  expect(part.blocks.length).toBeLessThan(10_000);
  for (const head of ['', '1', 'x'.repeat(65_535)]) {
    const file = Buffer.concat(gzipAround(head, part, '}'));
    // Its check covers all: gunzip refuses another.
    expect(gunzipSync(file).toString()).toBe(`${head}${'abcd'.repeat(250_000)}}`);
    file[file.length - 8]! ^= 1;
    expect(() => gunzipSync(file)).toThrow('incorrect data check');
  }
});
