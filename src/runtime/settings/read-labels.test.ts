import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readLabels } from './read-labels.ts';

const folder = mkdtempSync(join(tmpdir(), 'labels-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(join(folder, 'script.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(folder, 'large.png'), Buffer.alloc(65_537));

function read(content: string | Buffer) {
  const path = join(folder, 'labels');
  writeFileSync(path, content);
  return readLabels({ find: ((name: string) => (name === 'labels' ? path : undefined)) as never });
}

const treasury = { name: 'Treasury', url: 'https://example.org/a', icon: null, logo: null };

it('nothing is read without the setting', () => {
  expect(readLabels({ find: (() => undefined) as never }).size).toBe(0);
});

it.each([
  ['JSON', JSON.stringify([{ account: '0.0.2', name: ' Treasury ', url: 'https://example.org/a' }])],
  ['CSV', 'account,name,url\n0.0.2,Treasury,https://example.org/a\n'],
  [
    'CSV in another order, of Windows, with an empty cell',
    '\ufeffname,icon,account,url\r\n"Treasury",,0.0.2,"https://example.org/a"',
  ],
])('%s', (_, content) => {
  expect([...read(content)]).toEqual([[2n, treasury]]);
});

it.each([
  ['{"account":"0.0.2"}', /it is no list/],
  ['', /neither a list in JSON nor CSV/],
  ['[1', /it is no JSON/],
  ['[1]', /entry 1 is no object/],
  ['[null]', /entry 1 is no object/],
  ['[{"account":"0.0.2"}]', /entry 1 has no name/],
  ['[{"account":"0.0.2","name":"  "}]', /entry 1 has no name/],
  ['[{"account":"0.0.2","name":7}]', /name of entry 1 is no text/],
  ['[{"account":"0.0.x","name":"a"}]', /account of entry 1 is no id such as 0\.0\.98/],
  ['[{"account":"0.0.999999999999","name":"a"}]', /account of entry 1 is no id/],
  ['[{"account":"0.0.2","name":"a","color":"red"}]', /entry 1 has "color"/],
  ['[{"account":"0.0.2","name":"a","url":"javascript:alert(1)"}]', /url of entry 1 is no address/],
  ['[{"account":"0.0.2","name":"a","icon":"https://a b"}]', /icon of entry 1 is no address/],
  ['[{"account":"0.0.2","name":"a","icon":"javascript:alert(1)"}]', /icon of entry 1 is no address/],
  ['[{"account":"0.0.2","name":"a","icon":"none.png"}]', /icon of entry 1 is no address .*\(ENOENT\)/],
  ['[{"account":"0.0.2","name":"a","icon":"."}]', /icon of entry 1 is no address .*\(EISDIR\)/],
  ['[{"account":"0.0.2","name":"a","icon":"script.svg"}]', /icon of entry 1 is no PNG, JPEG, GIF or WebP/],
  ['[{"account":"0.0.2","name":"a","icon":"large.png"}]', /icon of entry 1 is larger than 65536 bytes/],
  [`[{"account":"0.0.2","name":"${'a'.repeat(101)}"}]`, /name of entry 1 has more than 100 characters/],
  [
    '[{"account":"0.0.2","name":"a"},{"account":"0.0.2","name":"b"}]',
    /entry 2 names an account that an earlier one names/,
  ],
  ['account,name\n0.0.2', /entry 1 has 1 cells/],
  ['account,name\n0.0.2,a"b', /entry 1 has a quotation mark in its middle/],
  [JSON.stringify(Array.from({ length: 50_001 }, () => 0)), /it has 50001 entries, more than 50000/],
  [Buffer.from([0x5b, 0xff]), /cannot be read as text/],
  [Buffer.alloc(4 * 2 ** 20 + 1, 32), /is larger than 4194304 bytes/],
])('%.60s is refused, and says why', (content, message) => {
  expect(() => read(content)).toThrow(message);
  expect(() => read(content)).toThrow(/^--labels /);
});

it.each([
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1')],
  ['image/jpeg', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
  ['image/gif', Buffer.from('GIF89a')],
  ['image/webp', Buffer.from('RIFF\n\0\0\0WEBPVP8 ', 'latin1')],
])('a file beside the labels is a logo: %s', (contentType, bytes) => {
  writeFileSync(join(folder, 'logo'), bytes);
  const labels = read('account,name,icon\n0.0.2,Bank,logo\n0.0.3,Branch,./logo');
  const fileName = expect.stringMatching(`^[0-9a-f]{16}\\.${contentType.slice(6)}$`);
  const logo = { fileName, bytes, contentType };
  expect([...labels.values()].map((label) => [label.icon, label.logo])).toEqual([
    [null, logo],
    [null, logo],
  ]);
});

it('a missing file is refused', () => {
  expect(() => readLabels({ find: (() => join(folder, 'none')) as never })).toThrow(
    /cannot be read as text \(ENOENT\)/,
  );
});

describe('CSV', () => {
  it('is read as csv-stringify writes it', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `x${text}x`);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 20 }), fc.boolean(), (names, quoted) => {
        const rows = names.map((text, place) => ({ account: `0.0.${place + 1}`, name: text }));
        const labels = read(stringify(rows, { header: true, quoted }));
        expect([...labels].map(([id, label]) => [id, label.name])).toEqual(
          names.map((text, at) => [BigInt(at + 1), text]),
        );
      }),
      { numRuns: 50 },
    );
  });
});
