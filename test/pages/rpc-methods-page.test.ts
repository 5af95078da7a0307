import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withMethods } from './rpc-methods-page.ts';

const page = new URL('../../docs/reference/json-rpc.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the table.
test('the page of JSON-RPC lists every method as the table has it', () => {
  const text = readFileSync(page, 'utf8');
  if (process.env.UPDATE_PAGES) writeFileSync(page, withMethods(text));
  expect(readFileSync(page, 'utf8')).toBe(withMethods(text));
});
