// Sources as lines: nothing of a source is lost or said twice, whatever it is, and colours do not change a character.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SourcePart, sourceLines } from './source-lines.ts';
import { readTokens } from './source-tokens.ts';

const piece = fc.constantFrom(
  ...[
    'contract',
    'if',
    ' ',
    '\n',
    '\r\n',
    '"',
    "'",
    '\\',
    '/*',
    '*/',
    '//',
    '*',
    '/',
    '#',
    'x1',
    '{',
    '<b>',
    '&',
    '🙂',
  ],
);
const source = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));

it.each(['Solidity', 'Yul', 'Vyper'])('pieces of %s are the source', (language) => {
  fc.assert(
    fc.property(source, (text) => {
      expect([...readTokens(text, language)].map((token) => token.text).join('')).toBe(text);
    }),
    { numRuns: 500 },
  );
});

it('lines are the lines of the source', () => {
  fc.assert(
    fc.property(source, (text) => {
      const lines = text.split('\n');
      if (lines.at(-1) === '') lines.pop();
      const shown = sourceLines(text, 'Solidity', 1)?.shown.markup ?? '';
      const items = [...shown.matchAll(/<li id="L(\d+)">(.*?)<\/li>/gs)];
      expect(items.map(([, number]) => Number(number))).toEqual(lines.map((_, place) => place + 1));
      expect(items.map(([, , markup]) => toText(markup!))).toEqual(lines.map((line) => line.replace(/\r$/, '')));
    }),
    { numRuns: 500 },
  );
});

function toText(markup: string): string {
  return markup
    .replaceAll(/<\/?[ibu]>/g, '')
    .replaceAll(/<span class="hidden-character">U\+000D<\/span>/g, '\r')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

describe('kinds', () => {
  it.each([
    ['Solidity', 'x = "a \\" // b"; // c', ['text:"a \\" // b"', 'comment:// c']],
    ['Solidity', "'a\nb'", ["text:'a", "text:'"]],
    ['Solidity', '/* a */ if', ['comment:/* a */', 'keyword:if']],
    ['Solidity', '/* never ends', ['comment:/* never ends']],
    ['Solidity', 'iffy contract1 $if', []],
    ['Vyper', '# a\ndef f(): pass', ['comment:# a', 'keyword:def', 'keyword:pass']],
  ])('%s: %j', (language, text, expected) => {
    const found = [...readTokens(text, language)].filter(({ kind }) => kind !== 'plain');
    expect(found.map(({ kind, text: shown }) => `${kind}:${shown}`)).toEqual(expected);
  });
});

it('parts join without a gap', () => {
  const text = Array.from({ length: 5_000 }, (_, place) => `uint256 line${place};`).join('\n');
  const seen: number[] = [];
  let from: number | null = 1;
  while (from !== null) {
    const part: SourcePart = sourceLines(text, 'Solidity', from)!;
    expect(part.shown.markup.length).toBeLessThan(50_000);
    seen.push(...[...part.shown.markup.matchAll(/id="L(\d+)"/g)].map(([, number]) => Number(number)));
    from = part.nextLine;
  }
  expect(seen).toEqual(Array.from({ length: 5_000 }, (_, place) => place + 1));
  expect(sourceLines(text, 'Solidity', 5_001)).toBeNull();
});
