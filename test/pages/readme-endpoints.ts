// README's table of endpoints, written from the one list of them, so that it cannot go stale.
import { endpoints } from '../../src/resources/endpoints.ts';

const begin = '<!-- endpoints: written by UPDATE_PAGES=1 npm test -->\n';
const end = '<!-- end of endpoints -->';

/** The page with the table as it has to be. Throws where the page has no place for it. */
export function withEndpoints(page: string): string {
  const [before, rest] = split(page, begin);
  const [, after] = split(rest, end);
  return `${before}${begin}${formatEndpoints()}${end}${after}`;
}

/** By tag, in the order of the API document. */
function formatEndpoints(): string {
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  const rows = tags.flatMap((tag) =>
    endpoints
      .filter((each) => each.tag === tag)
      .map(({ method, path, summary }, index) => `| ${index === 0 ? tag : ''} | \`${method} ${path}\` | ${summary} |`),
  );
  return ['', '| about | request | answer |', '|---|---|---|', ...rows, '', ''].join('\n');
}

function split(text: string, mark: string): [before: string, after: string] {
  const parts = text.split(mark);
  if (parts.length !== 2) throw new Error(`The page needs the line "${mark.trim()}" once`);
  return parts as [string, string];
}
