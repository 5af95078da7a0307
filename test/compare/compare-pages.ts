// The API document and the pages for people, of two servers over one database: what the second one leads to is asked of
// both.
import { crawl, type Fetch } from '../support/crawl.ts';
import { describeDifference } from './describe-difference.ts';

/** Scripts and styles are named by the hash of what is in them. */
export function withoutHashes(text: string): string {
  return text.replaceAll(/(\/assets\/[\w-]+)-[0-9a-f]{12}\./g, '$1.');
}

/** A statement of an account says when it was made, the first page how large the database is. */
function withoutMoments(text: string): string {
  return text
    .replaceAll(/(<dt>Generated<\/dt><dd>)<time [^>]*>[^<]*<\/time>/g, '$1')
    .replaceAll(/(<dt>Room that it takes<\/dt><dd>)[^<]*/g, '$1');
}

const documents = ['/api/v1/docs/openapi.json', '/api/v1/docs/openapi.yml', '/hiero/api/v1/docs/openapi.json', '/docs'];

export type ComparedPages = { compared: number; differences: string[] };

/** By their ports. */
export async function comparePages(before: number, after: number, maxPages: number): Promise<ComparedPages> {
  const differences: string[] = [];
  let compared = 0;
  const fetchBoth: Fetch = async (path) => {
    const [old, now] = await Promise.all([fetchText(before, path), fetchText(after, path)]);
    compared++;
    const [was, is] = [old, now].map((answer) => withoutMoments(withoutHashes(JSON.stringify(answer))));
    if (was !== is) differences.push(`${path}\n${describeDifference(was!, is!)}`);
    return now;
  };
  for (const path of [...documents, ...searches]) await fetchBoth(path);
  await crawl(fetchBoth, { start: ['/', '/api', '/proof'], maxPages });
  return { compared, differences };
}

const searches = ['/search?q=0.0.2', '/search?q=0x', '/search/suggest?q=0.0'];

async function fetchText(port: number, path: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    location: answer.headers.get('location'),
    body: await answer.text(),
  };
}
