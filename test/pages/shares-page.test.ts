import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type DoorShare, doorShares } from '../../packages/kit/shares/door-shares.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
import { formatSharesPage } from './shares-page.ts';

const page = new URL('../../docs/reference/shares.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the page.
test('the page of shares says what the doors do', () => {
  if (process.env.UPDATE_PAGES) writeFileSync(page, formatSharesPage());
  expect(readFileSync(page, 'utf8')).toBe(formatSharesPage());
});

test('settings that it names exist', () => {
  const named = Object.values<DoorShare>(doorShares).flatMap(({ places, share, waitMs }) => [places, share, waitMs]);
  const settings = named.filter((one) => typeof one === 'string').map((flag) => flag.slice('--'.length));
  expect(settings.length).toBeGreaterThan(3);
  for (const name of settings) expect([name, name in settingsTable]).toEqual([name, true]);
});
