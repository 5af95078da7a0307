import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepColumns } from './keep-columns.ts';
import { splitHeader } from './split-header.ts';

/** null = an empty field without quotes, which PostgreSQL reads as null. */
type Field = string | null;

const field = fc.oneof(
  fc.constant(null),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', 'é', '\\', '.', ' '), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
);

const table = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.record({
    rows: fc.array(fc.array(field, { minLength: width, maxLength: width }), { maxLength: 20 }),
    kept: fc.array(fc.boolean(), { minLength: width, maxLength: width }).filter((kept) => kept.includes(true)),
    isQuotedAlways: fc.boolean(),
    cuts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
  }),
);

const write = (rows: Field[][], isQuotedAlways: boolean): string =>
  rows.map((row) => `${row.map((value) => writeField(value, isQuotedAlways)).join(',')}\n`).join('');

function writeField(value: Field, isQuotedAlways: boolean): string {
  if (value === null) return '';
  const isPlain = value !== '' && !/[",\r\n]/.test(value) && value !== '\\.';
  return isPlain && !isQuotedAlways ? value : `"${value.replaceAll('"', '""')}"`;
}

/** In parts of these sizes, again and again. */
async function* inParts(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function join(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

test('what is left is what was written, quotes and all, wherever the chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ rows, kept, isQuotedAlways, cuts }) => {
      const left = await join(keepColumns(inParts(write(rows, isQuotedAlways), cuts), kept));
      const expected = rows.map((row) => row.filter((_, column) => kept[column]));
      expect(left).toBe(write(expected, isQuotedAlways));
    }),
    { numRuns: 500 },
  );
});

test('another reader of CSV agrees', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ rows, kept, cuts }) => {
      const filled = rows.map((row) => row.map((value) => value ?? 'null'));
      const left = await join(keepColumns(inParts(write(filled, false), cuts), kept));
      const options = { relax_column_count: true, record_delimiter: '\n' };
      expect(parse(left, options)).toEqual(filled.map((row) => row.filter((_, column) => kept[column])));
    }),
  );
});

test.each([
  ['a,b\n1,2\n', ['a', 'b'], '1,2\n'],
  ['a,b\r\n1,2\r\n', ['a', 'b'], '1,2\r\n'],
  ['"index","range"\n', ['index', 'range'], ''],
  ['a', ['a'], ''],
])('the header of %j', async (text, columns, rest) => {
  for (const size of [1, 3, 100]) {
    const { columns: found, rows } = await splitHeader(inParts(text, [size]));
    expect([found, await join(rows)]).toEqual([columns, rest]);
  }
});

test.each([
  ['nothing', ''],
  ['rows', '1,2\n'],
  ['the same column twice', 'a,b,a\n1,2,3\n'],
  ['a name that no column has', 'a,"b"";drop table"\n'],
  ['a line without an end', 'a'.repeat(300_000)],
])('%s is no header', async (_what, text) => {
  await expect(splitHeader(inParts(text, [4096]))).rejects.toThrow('its first line is no list of columns');
});
