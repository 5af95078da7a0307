import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
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

/** Flags of programs of others. */
const foreignFlags = ['ethereum-rpc', 'volume'];

test('guides and references name settings and flags that there are', () => {
  const root = join(import.meta.dirname, '../..');
  const programs = globSync('{src/cli,test,bench,scripts,clients,examples}/**/*.{ts,mjs}', { cwd: root })
    .filter((path) => !path.includes('node_modules') && !path.endsWith('configuration-page.test.ts'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const isFlag = (name: string) => new RegExp(`['"]?\\b${name}['"]?\\s*:|--${name}\\b`).test(programs);
  const isKnown = (name: string) =>
    name in settingsTable || name.replace(/^no-/, '') in settingsTable || foreignFlags.includes(name) || isFlag(name);
  const unknown = globSync('docs/**/*.md', { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/`[^`\n]+`/g)]
      .flatMap(([code]) => [...code.matchAll(/(?<=[`\s])--([a-z][a-z-]+)/g)].map(([, name]) => name!))
      .filter((name) => !isKnown(name))
      .map((name) => `${path}: --${name}`),
  );
  expect(unknown).toEqual([]);
});
