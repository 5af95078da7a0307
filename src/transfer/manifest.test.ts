import fc from 'fast-check';
import { expect, test } from 'vitest';
import { monthOf, monthSpan, monthsBetween } from '../../packages/kit/months.ts';
import { parseExportName } from './export-names.ts';
import { formatManifest, parseManifest } from './manifest.ts';

const hash = '0123456789abcdef'.repeat(4);

test('a manifest in other forms', () => {
  const text = `\ufeff"file_size",filename,"blake3_hash",row_count\r\n12,entity.csv.gz,${hash.toUpperCase()},3\r\n\r\n,MIRRORNODE_VERSION.gz,,N/A\r\n`;
  expect(parseManifest(text)).toEqual([
    { name: 'entity.csv.gz', rows: 3, sizeBytes: 12, hash },
    { name: 'MIRRORNODE_VERSION.gz', rows: null, sizeBytes: null, hash: null },
  ]);
});

test('a manifest that is written is read as the same', () => {
  const file = fc.record({
    name: fc.stringMatching(/^[a-z_]{1,20}(\/[a-z_0-9]{1,20})?\.csv\.gz$/),
    rows: fc.option(fc.nat()),
    sizeBytes: fc.option(fc.nat()),
    hash: fc.constantFrom(null, hash),
  });
  fc.assert(
    fc.property(fc.array(file), (files) => {
      expect(parseManifest(formatManifest(files))).toEqual(files);
    }),
  );
});

test.each([
  ['name,rows\na,1\n', 'does not begin with filename'],
  ['', 'does not begin with filename'],
  ['filename,row_count,file_size,blake3_hash\na.csv.gz,-1,2,\n', 'Line 2 of manifest.csv'],
  ['filename,row_count,file_size,blake3_hash\na.csv.gz,1,2e3,\n', 'Line 2 of manifest.csv'],
  ['filename,row_count,file_size,blake3_hash\na.csv.gz,1,2,abc\n', 'Line 2 of manifest.csv'],
  ['filename,row_count,file_size,blake3_hash\na.csv.gz,1,2\n', 'Line 2 of manifest.csv'],
  ['filename,row_count,file_size,blake3_hash\n,1,2,\n', 'Line 2 of manifest.csv'],
])('%j cannot be read', (text, reason) => {
  expect(() => parseManifest(text)).toThrow(reason);
});

test.each([
  ['account_balance/account_balance_p2024_01.csv.gz', { table: 'account_balance', month: '2024_01', isLarge: false }],
  ['account_balance_p2024_01.csv.gz', { table: 'account_balance', month: '2024_01', isLarge: false }],
  ['account_balance_p2024_12', { table: 'account_balance', month: '2024_12', isLarge: false }],
  ['topic_message_p2024_01_atma.csv.gz', { table: 'topic_message', month: '2024_01', isLarge: true }],
  ['entity.csv.gz', { table: 'entity', month: null, isLarge: false }],
  ['entity_history', { table: 'entity_history', month: null, isLarge: false }],
  ['x_p2024_13.csv.gz', { table: 'x_p2024_13', month: null, isLarge: false }],
  ['../etc/passwd', { table: 'passwd', month: null, isLarge: false }],
  ['schema.sql.gz', null],
  ['a b.csv.gz', null],
])('the name %s', (name, parsed) => {
  expect(parseExportName(name)).toEqual(parsed);
});

test('months follow each other without a gap', () => {
  const months = monthsBetween('2023_11', '2024_02');
  expect(months).toEqual(['2023_11', '2023_12', '2024_01', '2024_02']);
  for (const month of months) {
    const { from, to } = monthSpan(month);
    expect([monthOf(from), monthOf(to - 1n)]).toEqual([month, month]);
  }
});
