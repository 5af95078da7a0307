// Parts of pages: amounts and times are exact, and text that anyone wrote stays text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../../../packages/kit/markup.ts';
import { readPage } from '../../../packages/test-support/http/read-page.ts';
import { formatCount, formatFraction, formatPlainFraction, formatShare } from './amounts.ts';
import { hexBytes } from './bytes.ts';
import { decodeText, indentJson } from './decode-text.ts';
import { findTarget, foreignLink } from './foreign-link.ts';
import { foreignText } from './foreign-text.ts';
import { type Column, table } from './table.ts';
import { timeChart } from './time-chart.ts';
import { formatDuration } from './times.ts';

/** As a page has it. */
const read = (part: unknown) =>
  readPage(
    `<!doctype html><html lang="en"><head><title>t</title></head><body>${html`${part as string}`}</body></html>`,
  );

describe('amounts', () => {
  it.each<[bigint, number, string]>([
    [0n, 8, '0'],
    [1n, 8, '0.00000001'],
    [123_456_789_012n, 8, '1,234.56789012'],
    [-150_000_000n, 8, '−1.5'],
    [9_223_372_036_854_775_807n, 0, '9,223,372,036,854,775,807'],
    [5_000_000_000_000_000_000n, 8, '50,000,000,000'],
  ])('%s with %s digits is %s', (value, digits, text) => {
    expect(formatFraction(value, digits)).toBe(text);
  });

  it('every amount can be read back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.integer({ min: 0, max: 30 }),
        (value, digits) => {
          const [whole, fraction = ''] = formatPlainFraction(value, digits).replace('-', '').split('.');
          const back = BigInt(whole! + fraction.padEnd(digits, '0'));
          expect(value < 0n ? -back : back).toBe(value);
        },
      ),
    );
  });

  it.each<[bigint, bigint, string]>([
    [1n, 3n, '33.33 %'],
    [1n, 1n, '100 %'],
    [5n, 1000n, '0.5 %'],
    [1n, 10n ** 12n, '< 0.000001 %'],
    [0n, 7n, '0 %'],
    [1n, 0n, '–'],
  ])('%s of %s are %s', (part, whole, text) => {
    expect(formatShare(part, whole)).toBe(text);
  });

  it.each<[bigint | number, string]>([
    [999n, '999'],
    [1000, '1,000'],
    [1_234_567n, '1,234,567'],
  ])('%s is counted as %s', (value, text) => {
    expect(formatCount(value)).toBe(text);
  });

  it.each<[bigint, string]>([
    [0n, '0 seconds'],
    [1n, '1 second'],
    [119n, '119 seconds'],
    [120n, '2 minutes'],
    [7_776_000n, '90 days'],
    [-5n, '0 seconds'],
  ])('%s seconds are %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('text that anyone wrote', () => {
  it.each<[string, string]>([
    ['plain', 'plain'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a\u202Eb', 'aU+202Eb'],
    ['pay\u200Bpal', 'payU+200Bpal'],
    ['x\u0000\u0007y', 'xU+0000U+0007y'],
    ['\u{E0041}', 'U+E0041'],
    ['👨‍👩‍👧 family', '👨‍👩‍👧 family'],
    ['a\u200Db', 'aU+200Db'],
    ['Z\u0301\u0302\u0303\u0304\u0305\u0306', 'Z\u0301\u0302\u0303\u0304U+0305 × 2'],
    ['مرحبا', 'مرحبا'],
    ['\ud800', 'U+D800'],
  ])('%j is shown as %j', (text, shown) => {
    const page = read(foreignText(text));
    expect([page.text, page.active, page.errors]).toEqual([shown, [], []]);
  });

  it('is cut, never in the middle of a character, and says how much is left', () => {
    expect(read(foreignText('😀'.repeat(50), { max: 5 })).text).toBe('😀😀 … 96 more characters');
  });

  it('never becomes markup, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const page = read(foreignText(text));
        expect([page.active, page.errors, page.links, page.headings]).toEqual([[], [], [], []]);
      }),
    );
  });
});

describe('addresses that anyone wrote', () => {
  const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
  it.each<[string, string]>([
    [`ipfs://${cid}/1.json`, `https://ipfs.io/ipfs/${cid}/1.json`],
    [`ipfs://ipfs/${cid}`, `https://ipfs.io/ipfs/${cid}`],
    [cid, `https://ipfs.io/ipfs/${cid}`],
    ['ar://abc_DEF-1', 'https://arweave.net/abc_DEF-1'],
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['hcs://1/0.0.77', '/demo/topic/0.0.77'],
  ])('%s is opened at %s', (text, href) => {
    expect(findTarget(text, '/demo')?.href).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://bank.example@evil.example/',
    'https://exa mple.org/',
    'https://example.org/\u202Egpj.exe',
    'http://раураl.com/',
    'ipfs://../../x',
    'file:///etc/passwd',
    'https://',
    `https://example.org/${'x'.repeat(2000)}`,
    '//example.org/x',
    '',
  ])('%j stays text', (text) => {
    expect(findTarget(text, '/demo')).toBeNull();
    expect(read(foreignLink(text, '/demo')).links).toEqual([]);
  });

  it('a link says where it leads, and tells that host nothing', () => {
    const markup = String(foreignLink('https://example.org/x', '/demo'));
    expect(markup).toContain('rel="noopener noreferrer nofollow ugc"');
    const page = read(foreignLink('https://example.org/"><b>', '/demo'));
    expect([page.active, page.errors, page.links]).toEqual([[], [], ['https://example.org/%22%3E%3Cb%3E']]);
    expect(page.text).toContain('(opens example.org)');
  });
});

describe('bytes that anyone wrote', () => {
  it.each<[Uint8Array, string]>([
    [Buffer.from('{"a":1}'), 'json'],
    [Buffer.from('{"a":1'), 'text'],
    [Buffer.from('héllo'), 'text'],
    [Buffer.from([0xff, 0x41]), 'bytes'],
    [Buffer.from([0, 1, 2]), 'bytes'],
    [Buffer.from(`[${'['.repeat(200)}${']'.repeat(200)}]`), 'text'],
    [Buffer.from(`"${'x'.repeat(20_000)}"`), 'text'],
  ])('%# is %s', (bytes, kind) => {
    expect(decodeText(bytes).kind).toBe(kind);
  });

  it('JSON keeps every number and text as it was written', () => {
    expect(indentJson('{"n":12345678901234567890.10,"t":"\\u0041,{}","e":[],"o":{}}')).toBe(
      '{\n  "n": 12345678901234567890.10,\n  "t": "\\u0041,{}",\n  "e": [],\n  "o": {}\n}',
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        const indented = indentJson(text);
        expect(indented === null ? null : JSON.parse(indented)).toEqual(indented === null ? null : JSON.parse(text));
        // With a blank it is not what programs write, and is read sign by sign.
        expect(indentJson(`${text} `)).toBe(indented);
      }),
    );
  });

  it('long ones are folded and cut', () => {
    const page = read(hexBytes(Buffer.alloc(10_000, 7)));
    expect(page.text).toContain('10000 bytes');
    expect(page.text).toContain('… 1808 more bytes');
    expect(String(hexBytes(Buffer.alloc(10_000, 7))).length).toBeLessThan(17_000);
  });
});

describe('charts', () => {
  const at = (second: number) => BigInt(second) * 1_000_000_000n;
  const chart = (points: Parameters<typeof timeChart>[0]['points'], shape: 'line' | 'step' | 'bars' = 'line') =>
    timeChart({ id: 'c', title: 'Balance', points, shape, unit: 'Value', format: (value) => formatCount(value) });

  it('has its numbers as a table, the newest first, and in words', () => {
    const page = read(
      chart([
        { at: at(1), value: 2n ** 62n },
        { at: at(2), value: 5n },
      ]),
    );
    expect(page.tables.get('Balance')).toEqual([
      { Time: '1970-01-01 00:00:02', Value: '5' },
      { Time: '1970-01-01 00:00:01', Value: '4,611,686,018,427,387,904' },
    ]);
    expect(page.text).toContain('Newest 5, highest 4,611,686,018,427,387,904 at 1970-01-01 00:00:01.');
    expect([page.active, page.errors]).toEqual([[], []]);
  });

  it('says so if nothing is known', () => {
    expect(read(chart([])).text).toBe('BalanceNothing is known yet.');
    expect(read(chart([{ at: at(1), value: null }])).text).toBe('BalanceNothing is known yet.');
  });

  it('of any points is drawn inside its picture', () => {
    const points = fc.array(
      fc.record({
        at: fc.bigInt({ min: 0n, max: 2n ** 62n }),
        value: fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n })),
      }),
      { maxLength: 50 },
    );
    fc.assert(
      fc.property(points, fc.constantFrom('line' as const, 'step' as const, 'bars' as const), (drawn, shape) => {
        const sorted = drawn.sort((a, b) => (a.at < b.at ? -1 : 1));
        const markup = String(chart(sorted, shape));
        expect(markup).not.toMatch(/NaN|Infinity|undefined/);
        const paths = [...markup.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d!).join(' ');
        for (const [number] of paths.matchAll(/-?\d+(?:\.\d+)?/g))
          expect(Math.abs(Number(number))).toBeLessThanOrEqual(601);
      }),
    );
  });
});

describe('tables', () => {
  const columns = [
    { name: 'Id', narrow: 'title', show: ({ id }) => id },
    { name: 'State', narrow: 'below', isRare: true, show: ({ state }) => [state, null] },
  ] satisfies Column<{ id: number; state: string | null }>[];
  const columnsOf = (...states: (string | null)[]) => {
    const items = states.map((state, id) => ({ id, state }));
    const shown = read(table(columns, items, { caption: 'Things', none: 'None.' }));
    return Object.keys(shown.tables.get('Things')![0]!);
  };

  it('a column that most rows have nothing in is left out where none has', () => {
    expect(columnsOf(null, null)).toEqual(['Id']);
    expect(columnsOf(null, 'frozen')).toEqual(['Id', 'State']);
    expect(columnsOf(null)).toEqual(['Id']);
  });
});
