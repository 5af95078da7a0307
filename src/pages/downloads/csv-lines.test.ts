import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../parts/table.ts';
import { csvCut, csvHead, csvLines, csvRecord } from './csv-lines.ts';
import { toPlainCells } from './plain-cells.ts';

type Item = { id: string; written: string; amount: string; last: string };

const fields: readonly Field<Item>[] = [
  { name: 'id', text: ({ id }) => id },
  { name: 'written', text: ({ written }) => written, isForeign: true },
  { name: 'amount', text: ({ amount }) => amount },
  { name: 'last', text: ({ last }) => last, isForeign: true },
];

const signs = [...'=+-@＝＋－＠﹦﹢﹣﹫−'];
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'",;\r\n\t\f\v =+-@\'a＝﹣\u202e\ufeff\u2028\0', '\ud800') }),
);
const anyAmount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((amount) => `${amount}.5`);
const anyItem = fc.record({ id: fc.oneof(anyText, anyAmount), written: anyText, amount: anyAmount, last: anyText });

const toFile = (items: readonly Item[]): string =>
  csvHead(fields) + csvLines(items.map((item) => csvRecord(fields, item)));

/** As the documentation says it, to the letter. */
const apostrophes =
  /(?<![^;\t\r\n\v\f\x85\u2028\u2029])'(?='*(?:(?![;\t\r\n\v\f\x85\u2028\u2029])[\s\p{C}"])*[=+\-@＝＋－＠﹦﹢﹣﹫−])|^'(?='*[\t\r\n])/gu;
const fromPlainCells = (cells: string): string => cells.replace(apostrophes, '');

describe('lines of CSV', () => {
  it('are read by another program, and give back what was written', () => {
    fc.assert(
      fc.property(fc.array(anyItem), (items) => {
        const found = parse(toFile(items), { record_delimiter: '\r\n' }) as string[][];
        const read = found.slice(1).map(([id = '', written = '', amount = '', last = '']) => ({
          ...{ id: fromPlainCells(id), written: fromPlainCells(written), amount, last: fromPlainCells(last) },
        }));
        const wellFormed = items.map(({ id, written, amount, last }) => ({
          ...{ id: id.toWellFormed(), written: written.toWellFormed(), amount, last: last.toWellFormed() },
        }));
        expect(read).toEqual(wellFormed);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([';', '\t', ',', ';,', '\t,', '\t;', '\t;,'])('split at %j, have no cell that is a formula', (separators) => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 5 }), fc.boolean(), (items, endsAtEither) => {
        const lines = splitAsSpreadsheet(toFile(items), separators, endsAtEither);
        const formulas = lines.flat().filter((cell) => isFormula(cell));
        const amounts = separators.includes(',') ? items.map(({ amount }) => amount) : [];
        expect(formulas).toEqual(amounts.filter((amount) => amount.startsWith('-')));
        // Where commas are among the separators, a text moves no other field to another column.
        if (separators.includes(',')) expect(lines.slice(1).map((line) => line[2])).toEqual(amounts);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['=HYPERLINK("http://evil.example","Click")', `"'=HYPERLINK(""http://evil.example"",""Click"")"`],
    ["@SUM(1+9)*cmd|' /C calc'!A0", "'@SUM(1+9)*cmd|' /C calc'!A0"],
    ['-1', "'-1"],
    ['\t=1', `"'\t'=1"`],
    ['\rfirst', `"'\rfirst"`],
    ['\nfirst', `"'\nfirst"`],
    [' \u202e\ufeff=1', `' \u202e\ufeff=1`],
    ['x;=1', `"x;'=1"`],
    ['x; "=1"', `"x;' ""=1"""`],
    ['x\t-1', `"x\t'-1"`],
    ['x\n@SUM(1)', `"x\n'@SUM(1)"`],
    ['x,=1', '"x,=1"'],
    ['1=1', '1=1'],
    ["it's; 'quoted'", `"it's; 'quoted'"`],
    // One more, so that a reader knows which one is not of the text.
    ["'=1", "''=1"],
    ["'1", "'1"],
    ['two\nlines', '"two\nlines"'],
    ...signs.flatMap((sign) => [
      [`${sign}1`, `'${sign}1`],
      [`x;${sign}1`, `"x;'${sign}1"`],
    ]),
  ])('%j is no formula, and an amount keeps its sign', (written, expected) => {
    const item = { id: '0.0.5', written, amount: '-5', last: '' };
    expect(csvLines([csvRecord(fields, item)])).toBe(`0.0.5,${expected},-5,\r\n`);
    expect(fromPlainCells(toPlainCells(written))).toBe(written);
  });

  it('begin with no number that has a sign, which would be one cell with the text behind it', () => {
    const item = { id: '-5', written: "3+cmd|' /C calc'!A0", amount: '-5', last: '' };
    expect(csvLines([csvRecord(fields, item)])).toBe(`'-5,3+cmd|' /C calc'!A0,-5,\r\n`);
  });

  it('have no formula out of the query of the rest', () => {
    expect(csvCut(fields, 2, '/demo/some.csv?a=;=1')).toBe(
      `"# Cut after 2 rows. They go on at /demo/some.csv?a=;'=1",,,\r\n`,
    );
  });

  it('are written in a time that grows with the text', () => {
    const texts = ["'", '"', ';"', ' ', ";'", '\t'].map((part) => part.repeat(2 ** 20 / part.length));
    const began = performance.now();
    for (const text of texts) expect(fromPlainCells(toPlainCells(text))).toBe(text);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

/** How spreadsheets read: quotes count at the start of a cell only, what follows their end belongs to the cell. */
function splitAsSpreadsheet(text: string, separators: string, endsAtEither: boolean): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length; at++) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at += 1;
    }
    while (at < text.length && !separators.includes(text[at]!) && endAt(text, at, endsAtEither) === 0)
      cell += text[at++];
    line.push(cell);
    const ended = at < text.length ? endAt(text, at, endsAtEither) : 1;
    if (ended > 0) {
      lines.push(line);
      line = [];
    }
    at += Math.max(ended, 1);
  }
  return lines;
}

/** Characters of the line's end at this place; 0 = there is none. */
function endAt(text: string, at: number, endsAtEither: boolean): number {
  if (text.startsWith('\r\n', at)) return 2;
  return endsAtEither && (text[at] === '\r' || text[at] === '\n') ? 1 : 0;
}

function isFormula(cell: string): boolean {
  return signs.includes([...cell.replace(/^[\s\p{C}"]+/u, '')][0] ?? '');
}
