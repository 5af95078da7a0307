// The pages hang together: each is found from README, links lead somewhere, and files that a page names are there.
import { expect, test } from 'vitest';
import {
  anchorsOf,
  headingAnchors,
  isThere,
  linksOf,
  listSources,
  namedFiles,
  namedPaths,
  reachableFrom,
  readDocPages,
} from './doc-pages.ts';

const pages = readDocPages();
/** The changelog names what was there at its time, and so do reports of measurements. */
const current = pages.filter(({ path }) => path !== 'CHANGELOG.md' && !path.startsWith('bench/results/'));

test('every page of docs is reached from README by links', () => {
  const reached = reachableFrom('README.md', pages);
  const inDocs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(inDocs.length).toBeGreaterThan(35);
  expect(inDocs.filter((path) => !reached.has(path))).toEqual([]);
});

test('links lead to files', () => {
  const links = pages.flatMap((page) =>
    linksOf(page).map((to) => ({ from: page.path, to, isBroken: !isThere(to, page) })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ isBroken }) => isBroken)).toEqual([]);
});

test('links to headings lead to one', () => {
  const headings = new Map(pages.map((page) => [page.path, headingAnchors(page)]));
  const links = pages.flatMap((page) => anchorsOf(page).map((link) => ({ from: page.path, ...link })));
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter(({ to, anchor }) => !headings.get(to)?.includes(anchor))).toEqual([]);
});

test('paths that pages name are there', () => {
  const named = current.flatMap((page) =>
    namedPaths(page).map((path) => ({ page: page.path, path, isMissing: !isThere(path, page) })),
  );
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ isMissing }) => isMissing)).toEqual([]);
});

test('source files that pages name from a folder on are there', () => {
  const sources = Map.groupBy(listSources(), (path) => path.slice(path.lastIndexOf('/') + 1));
  const isSource = (file: string) =>
    sources.get(file.slice(file.lastIndexOf('/') + 1))?.some((path) => `/${path}`.endsWith(`/${file}`)) ?? false;
  const named = current.flatMap((page) => namedFiles(page).map((file) => ({ page: page.path, file })));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ file }) => !isSource(file))).toEqual([]);
});
