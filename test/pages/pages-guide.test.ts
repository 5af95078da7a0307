// What a visitor can find: the guide names the address of each page, or the one that it lies below.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pages } from '../../src/pages/pages.ts';
import { redirects } from '../../src/pages/redirected-pages.ts';

const guide = readFileSync(new URL('../../docs/guides/look-at-a-ledger.md', import.meta.url), 'utf8');

/** `/account/{}` of `/account/:accountId/tokens`. */
const subjectOf = (path: string): string => {
  const [, first, second] = path.replaceAll(/:\w+|\{\w+\}/g, '{}').split('/');
  return second === '{}' ? `/${first}/{}` : `/${first}`;
};

/** Other spellings of addresses that the guide has. */
const spelledOtherwise = ['/tx/{}', '/address/{}'];

test('the guide names what each page is about', () => {
  const named = [...guide.matchAll(/`(?:\/\{network\})?(\/[\w/{}-]+)`/g)].map(([, path]) => subjectOf(path!));
  const redirected = new Set(redirects.map(([path]) => path));
  const subjects = pages.filter(({ path }) => !redirected.has(path)).map(({ path }) => subjectOf(path));
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(subjects)].filter((one) => !named.includes(one) && !spelledOtherwise.includes(one))).toEqual([]);
});
