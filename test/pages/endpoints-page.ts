// docs/reference/endpoints.md, written from the one list of endpoints so that the page cannot go stale.
import type { Page } from '../../src/pages/page/page.ts';
import { downloads, pages } from '../../src/pages/pages.ts';
import { redirects } from '../../src/pages/redirected-pages.ts';
import { endpoints } from '../../src/resources/endpoints.ts';

/** The whole page as Markdown. */
export function formatEndpointsPage(): string {
  return `# Endpoints

Every endpoint of the ledger, by subject. A running mirror shows them at \`/docs\`, to read and try out, and as OpenAPI 3.1 at
\`/api/v1/docs/openapi.json\` and \`.yml\`. \`UPDATE_PAGES=1 npm test -- test/pages\` writes this page from \`src/resources/endpoints.ts\`.

Each path is there in two dialects: \`/hiero/api/v1/…\` answers byte for byte as the Hiero mirror node does, for its existing clients;
\`--dialect hiero\` makes \`/api/v1\` do so. [REST behaviour](rest-behaviour.md) says how requests are read and answered,
[dialects](dialects.md) what differs.

| about | request | answer |
|---|---|---|
${formatEndpoints().join('\n')}

## Besides the ledger

| request | answer |
|---|---|
| \`GET /docs\`, \`/api/v1/docs/openapi.json\`, \`/api/v1/docs/openapi.yml\` | every endpoint, to read and try out (OpenAPI 3.1), offline too |
| \`POST /rpc\` | JSON-RPC ([json-rpc.md](json-rpc.md)) |
| \`POST /verify/explorer\` | whether the code of a contract matches its record in an explorer |
| \`POST /v2/verify/…\`, \`GET /v2/contract/…\`, \`/v2/contracts/…\` | verified contracts, as Sourcify serves and takes them |
| \`POST /verify\`, \`/session/…\`, \`GET /files/…\`, \`/check-by-addresses\`, … | the same in Sourcify's first API, for older tools and the dialogs of explorers |
| \`GET\`, \`POST /api?module=contract&action=…\` | the same as Etherscan serves and takes it, for tools that know no other API |
| \`GET /status\`, \`/api/v2/summary.json\` and seven more | the status: a page for people, the Statuspage v2 API for programs |
| \`GET /proof\` | a page that checks proofs of transactions, results, messages and blocks in the visitor's own browser, offline too |
| \`GET /{network}/…\`, \`/{network}/….csv\` | pages for people, and their lists as files ([downloads.md](downloads.md)) |
| \`GET /search?q=…\` | redirects an id, address, hash or alias to its page or endpoint |
| \`GET /search/suggest?q=…\` | what a text may mean so far, as lines of HTML for the search field |
| \`GET /health/liveness\`, \`/health/readiness\`, \`/metrics\` | for operators |

## Pages for people

\`{network}\` is the name of the network, \`demo\` after \`npm start\`. Written from \`src/pages/pages.ts\`.

| path | what is there |
|---|---|
${formatPages()}
`;
}

/** By tag, in the order of the API document. */
function formatEndpoints(): string[] {
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  return tags.flatMap((tag) =>
    endpoints
      .filter((each) => each.tag === tag)
      .map(({ method, path, summary }, index) => `| ${index === 0 ? tag : ''} | \`${method} ${path}\` | ${summary} |`),
  );
}

const leadsTo = new Map(redirects);

/** Each path below the name of the network, with what else is there. */
function formatPages(): string {
  const files = downloads.map(({ path }) => `| ${toAddress(path)} | a file |`);
  return [...pages.map((page) => `| ${toAddress(page.path)} | ${describePage(page)} |`), ...files].join('\n');
}

function describePage({ path, download }: Page): string {
  const target = leadsTo.get(path);
  if (target === undefined) return download ? `a page, and a file: ${toAddress(download.path)}` : 'a page';
  return `leads to ${target.startsWith('//') ? `\`${target.slice(1)}\`` : toAddress(target)}`;
}

function toAddress(path: string): string {
  return `\`/{network}${path.replaceAll(/:(\w+)/g, '{$1}')}\``;
}
