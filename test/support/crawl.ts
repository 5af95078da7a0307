// Follows the links of the pages for people, as a crawler does, and judges each page: no error, no dead end, nothing
// that runs or loads from elsewhere, good markup, a bounded size.
import { type ReadPage, readPage } from '../../packages/test-support/http/read-page.ts';

type Fetched = { status: number; type: string; location: string | null; body: string };

/** `path`: with its query. */
export type Fetch = (path: string) => Promise<Fetched>;

export type Crawled = {
  /** Paths of pages that were read, and of files that links lead to. */
  pages: string[];
  files: string[];
  findings: string[];
};

export type CrawlOptions = {
  start: readonly string[];
  maxPages: number;
  /** Judges a page beyond what is true of all. */
  judge?(path: string, page: ReadPage): Promise<string[]> | string[];
};

/** Bytes of a page. */
const maxSize = 80_000;

export async function crawl(fetch: Fetch, { start, maxPages, judge = () => [] }: CrawlOptions): Promise<Crawled> {
  const known = new Set<string>(start);
  const queue = [...start];
  const taken = new Map<string, number>();
  const crawled: Crawled = { pages: [], files: [], findings: [] };
  const report = (path: string, found: readonly string[]) =>
    crawled.findings.push(...found.map((one) => `${path}: ${one}`));
  while (queue.length > 0 && crawled.pages.length < maxPages) {
    const path = takeNext(queue, taken);
    let answer = await fetch(path);
    let place = path;
    for (let hops = 0; answer.status === 302 && hops < 3; hops++) {
      if (!answer.location?.startsWith('/')) report(path, [`leads to ${answer.location}`]);
      place = answer.location!;
      answer = await fetch(place);
    }
    if (answer.status !== 200 && answer.status !== 206) {
      report(path, [`status ${answer.status}`]);
      continue;
    }
    if (!answer.type.startsWith('text/html')) {
      crawled.files.push(path);
      continue;
    }
    crawled.pages.push(path);
    const page = readPage(answer.body);
    report(path, judgePage(page, answer.body, maxSizeOf(path)));
    report(path, await judge(place, page));
    for (const link of page.links) {
      const target = toTarget(link, path);
      if (target === null || known.has(target)) continue;
      known.add(target);
      queue.push(target);
    }
  }
  return crawled;
}

/** The oldest of the kind that was read least: the lists alone have more links than anyone follows. */
function takeNext(queue: string[], taken: Map<string, number>): string {
  let [next, fewest] = [0, Number.POSITIVE_INFINITY];
  for (const [index, path] of queue.entries()) {
    const count = taken.get(kindOf(path)) ?? 0;
    if (count < fewest) [next, fewest] = [index, count];
  }
  const [path] = queue.splice(next, 1);
  taken.set(kindOf(path!), fewest + 1);
  return path!;
}

/** A path without its ids and numbers. */
export function kindOf(path: string): string {
  return path
    .split('?')[0]!
    .split('/')
    .map((part) => (/\d/.test(part) && !/^v\d$/.test(part) ? '*' : part))
    .join('/');
}

/** Path and query on this server; null = elsewhere, this page, or the documents of the API. */
function toTarget(link: string, from: string): string | null {
  const { origin, pathname, search } = new URL(link, `http://mirror.test${from}`);
  if (origin !== 'http://mirror.test' || /^\/(?:docs|status|metrics|health)(?:\/|$)/.test(pathname)) return null;
  const target = `${pathname}${search}`;
  return target === from ? null : target;
}

/** Visitors may ask for more rows than the usual 25. */
function maxSizeOf(path: string): number {
  const rows = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? 25);
  return maxSize * Math.max(1, rows / 25);
}

function judgePage(page: ReadPage, body: string, maxSize: number): string[] {
  const found = [
    ...page.errors.map((error) => `markup: ${error}`),
    ...page.active.map((part) => `runs or loads something: ${part}`),
  ];
  const size = Buffer.byteLength(body);
  if (size > maxSize) found.push(`${size} bytes`);
  if (page.headings.length === 0) found.push('no heading');
  if (page.title === '') found.push('no title');
  for (const word of ['undefined', 'NaN', '[object Object]', 'null']) {
    if (new RegExp(`(?:^|[\\s(>])${word.replaceAll(/[[\]]/g, '\\$&')}(?:$|[\\s)<.,])`).test(page.text)) {
      found.push(`shows ${word}`);
    }
  }
  return found;
}
