import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/resources/endpoints.ts';
import { formatEndpointsPage } from './endpoints-page.ts';

const page = new URL('../../docs/reference/endpoints.md', import.meta.url);
const readme = new URL('../../README.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the page.
test('the page of endpoints lists every endpoint', () => {
  if (process.env.UPDATE_PAGES) writeFileSync(page, formatEndpointsPage());
  expect(readFileSync(page, 'utf8')).toBe(formatEndpointsPage());
});

test('README shows six endpoints that there are', () => {
  const rows = [...readFileSync(readme, 'utf8').matchAll(/^\| `((?:GET|POST) \/api\/v1\/\S+)` \|/gm)];
  const shown = rows.map(([, request]) => request);
  expect(shown).toHaveLength(6);
  expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(shown));
});
