import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatStatusRulesPage } from './status-rules-page.ts';

const page = new URL('../../docs/reference/status.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the page.
test('the page of the status rules says what the rules say', () => {
  if (process.env.UPDATE_PAGES) writeFileSync(page, formatStatusRulesPage());
  expect(readFileSync(page, 'utf8')).toBe(formatStatusRulesPage());
});
