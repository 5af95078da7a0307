import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatConfigurationPage } from './configuration-page.ts';

const page = new URL('../../docs/reference/configuration.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the page.
test('the settings page says what the table says', () => {
  if (process.env.UPDATE_PAGES) writeFileSync(page, formatConfigurationPage());
  expect(readFileSync(page, 'utf8')).toBe(formatConfigurationPage());
});
