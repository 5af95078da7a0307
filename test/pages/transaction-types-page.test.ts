import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findUntestedTypes, formatTransactionTypesPage, readTests } from './transaction-types-page.ts';

const page = new URL('../../docs/reference/transaction-types.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the page.
test('the page of transaction types says what the code says', () => {
  if (process.env.UPDATE_PAGES) writeFileSync(page, formatTransactionTypesPage());
  expect(readFileSync(page, 'utf8')).toBe(formatTransactionTypesPage());
});

test('each type with a handler has a test of the importer that makes one by hand', () => {
  expect(findUntestedTypes()).toEqual([]);
  const without = readTests().map(({ name, text }) => ({ name, text: text.replaceAll(/\butilPrng\b/g, '') }));
  expect(findUntestedTypes(without)).toEqual(['utilPrng']);
});
