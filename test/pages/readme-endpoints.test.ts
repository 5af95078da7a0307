import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withEndpoints } from './readme-endpoints.ts';

const readme = new URL('../../README.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the table.
test('README lists every endpoint', () => {
  const page = readFileSync(readme, 'utf8');
  if (process.env.UPDATE_PAGES) writeFileSync(readme, withEndpoints(page));
  expect(readFileSync(readme, 'utf8')).toBe(withEndpoints(page));
});
