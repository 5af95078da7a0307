// docs/reference/endpoints.md, written from the one list of endpoints so that the page cannot go stale.
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
| \`GET /health/liveness\`, \`/health/readiness\`, \`/metrics\` | for operators |
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
