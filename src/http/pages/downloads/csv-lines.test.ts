import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../parts/table.ts';
import { csvHead, csvLines, csvRecord } from './csv-lines.ts';

type Item = { written: string; amount: string };

const fields: readonly Field<Item>[] = [
  { name: 'written', text: ({ written }) => written, isForeign: true },
  { name: 'amount', text: ({ amount }) => amount },
];
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\t', ' ', '=', '+', '-', '@', "'", 'a', '\u202e', '\0') }),
);

describe('lines of CSV', () => {
  it('are read by another program as what was written, formulas apart', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ written: anyText, amount: anyText })), (items) => {
        const text = csvHead(fields) + csvLines(items.map((item) => csvRecord(fields, item)));
        const found = parse(text, { record_delimiter: '\r\n' }) as string[][];
        const expected = items.map(({ written, amount }) => [
          (/^[=+\-@\t\r]/.test(written) ? `'${written}` : written).toWellFormed(),
          amount.toWellFormed(),
        ]);
        expect(found).toEqual([['written', 'amount'], ...expected]);
      }),
    );
  });

  it.each([
    ['=HYPERLINK("http://evil.example","Click")', `"'=HYPERLINK(""http://evil.example"",""Click"")",-5\r\n`],
    ["@SUM(1+9)*cmd|' /C calc'!A0", `'@SUM(1+9)*cmd|' /C calc'!A0,-5\r\n`],
    ['+1', `'+1,-5\r\n`],
    ['-1', `'-1,-5\r\n`],
    ['\t=1', `"'\t=1",-5\r\n`.replaceAll('"', '')],
    ['\r=1', `"'\r=1",-5\r\n`],
    ['1=1', '1=1,-5\r\n'],
    ["'=1", "'=1,-5\r\n"],
    ['two\nlines', '"two\nlines",-5\r\n'],
  ])('%j is no formula, and an amount keeps its sign', (written, expected) => {
    expect(csvLines([csvRecord(fields, { written, amount: '-5' })])).toBe(expected);
  });
});
