// The pages of the repository, and where they lead: links, and files that they name in code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './guide-commands.ts';

export type DocPage = {
  /** From the root of the repository. */
  path: string;
  text: string;
};

const rootPages = ['README', 'ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'RELEASING', 'SECURITY'];
const folders = ['docs', 'packages', 'clients', 'test', 'bench'];
const sourceFolders = ['src', 'packages', 'test', 'bench', 'scripts', 'clients', 'examples'];

/** Every Markdown page that people read. */
export function readDocPages(): DocPage[] {
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  );
  const paths = [...rootPages.map((name) => `${name}.md`), ...below].sort();
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Files that links of the page lead to, from the root; `#…` is left out, and so are addresses of the web. */
export function linksOf({ path, text }: DocPage): string[] {
  return [...withoutBlocks(text).matchAll(/\]\((?![a-z]+:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) =>
    normalize(join(dirname(path), target!)),
  );
}

/** Headings that links of the page lead to: in itself, or in another page. */
export function anchorsOf({ path, text }: DocPage): { to: string; anchor: string }[] {
  return [...withoutBlocks(text).matchAll(/\]\((?![a-z]+:)([^)#\s]*)#([^)\s]+)\)/g)].map(([, target, anchor]) => ({
    to: target ? normalize(join(dirname(path), target)) : path,
    anchor: anchor!,
  }));
}

/** Of its headings, as hosts of repositories write them: lower case, blanks as dashes, without signs. */
export function headingAnchors({ text }: DocPage): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Pages that are read by following links from one of them. */
export function reachableFrom(start: string, pages: readonly DocPage[]): Set<string> {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const reached = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const page = byPath.get(path);
    if (!page || reached.has(path)) continue;
    reached.add(path);
    waiting.push(...linksOf(page));
  }
  return reached;
}

/** Files and folders that the page names between backticks: whole paths from the root, without `<…>`, `*` or `…`. */
export function namedPaths(page: DocPage): string[] {
  return wordsOf(page).filter((word) =>
    /^(?:src|packages|docs|test|bench|scripts|deploy|clients)\/[\w./-]*$/.test(word),
  );
}

/** Source files that the page names from a folder on: `rows/merge-block-changes.ts`. */
export function namedFiles(page: DocPage): string[] {
  return wordsOf(page).filter((word) => /^(?!node_modules)[\w-]+\/[\w./-]+\.(?:ts|mjs)$/.test(word));
}

/** In the repository, or beside the page. */
export function isThere(path: string, { path: from }: Pick<DocPage, 'path'>): boolean {
  return existsSync(join(root, path)) || existsSync(join(root, dirname(from), path));
}

/** Every source file, from the root. */
export function listSources(): string[] {
  return sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs|js)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

function wordsOf({ text }: DocPage): string[] {
  const names = [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);
  return names.flatMap((name) => name.split(/\s+/));
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
