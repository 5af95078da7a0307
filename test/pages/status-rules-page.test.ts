import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signalsOf } from '../../packages/status/signal-names.ts';
import { formatStatusRulesPage } from './status-rules-page.ts';

const page = new URL('../../docs/reference/status.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the page.
test('the page of the status rules says what the rules say', () => {
  if (process.env.UPDATE_PAGES) writeFileSync(page, formatStatusRulesPage());
  expect(readFileSync(page, 'utf8')).toBe(formatStatusRulesPage());
});

test('the table of what one client can do has every signal', () => {
  const [, table = ''] =
    /\n\| signal \| what a client can do [\s\S]*?\n((?:\|.*\n)+)/.exec(readFileSync(page, 'utf8')) ?? [];
  const named = table
    .trim()
    .split('\n')
    .flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  const isNamed = (signal: string) => named.some((name) => name === signal || name === signal.replace(/\..*/, '.*'));
  expect(named.length).toBeGreaterThan(10);
  expect(
    Object.values(signalsOf)
      .flat()
      .filter((signal) => !isNamed(signal)),
  ).toEqual([]);
});
