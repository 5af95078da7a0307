import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findForgotten, formatConfigurationPage } from './configuration-page.ts';

const page = new URL('../../docs/reference/configuration.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the page.
test('the settings page says what the table says', () => {
  expect(findForgotten(readFileSync(page, 'utf8'))).toEqual([]);
  if (process.env.UPDATE_PAGES) writeFileSync(page, formatConfigurationPage());
  expect(readFileSync(page, 'utf8')).toBe(formatConfigurationPage());
});

test('a removed setting stays on the page, and cannot vanish from it', () => {
  const removed = { 'old-port': { since: '0.4.0', instead: 'port' } } as const;
  const written = formatConfigurationPage(removed);
  expect(written).toContain('| `--old-port` | 0.4.0 | use --port |');
  expect(findForgotten(written, removed)).toEqual([]);
  expect(findForgotten(written, {})).toEqual(['old-port']);
});
