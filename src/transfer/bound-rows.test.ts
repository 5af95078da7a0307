import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundRows } from './bound-rows.ts';

/** In parts of these lengths, over and over. */
async function* inParts(text: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, part = 0; at < text.length; part++) {
    const length = lengths[part % lengths.length]!;
    yield text.subarray(at, at + length);
    at += length;
  }
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<{ passed: Buffer; error: string | null }> {
  const read: Uint8Array[] = [];
  try {
    for await (const chunk of chunks) read.push(chunk);
  } catch (error) {
    return { passed: Buffer.concat(read), error: (error as Error).message };
  }
  return { passed: Buffer.concat(read), error: null };
}

const field = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '7', '\\', 'ä') }),
  fc.string({ unit: fc.constantFrom('a', ',', '\n', '\r', '""') }).map((text) => `"${text}"`),
);
const row = fc.array(field, { minLength: 1, maxLength: 3 }).map((fields) => Buffer.from(fields.join(',')));
const joined = (rows: readonly Buffer[]): Buffer => Buffer.concat(rows.flatMap((each) => [each, Buffer.from('\n')]));

it('rows pass as they are, and the first one that is too long is named, however the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 8 }),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 12 }),
      async (rows, isEnded, lengths, max) => {
        const text = isEnded ? joined(rows) : joined(rows).subarray(0, -1);
        const place = rows.findIndex((each) => each.length > max);
        const { passed, error } = await readAll(boundRows(inParts(text, lengths), max));
        if (place < 0) {
          expect([error, passed.equals(text)]).toEqual([null, true]);
          return;
        }
        const reason = `its row ${place + 1} is longer than ${max} bytes, and no row may be longer (--max-row-size)`;
        // What is passed on of that row ends with the bound.
        const most = joined(rows.slice(0, place)).length + max;
        expect([error, passed.length <= most, passed.equals(text.subarray(0, passed.length))]).toEqual([
          ...[reason, true, true],
        ]);
      },
    ),
    { numRuns: 2000 },
  );
});
