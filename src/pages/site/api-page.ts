// The page at `/api`: what the API is, and one live example of every endpoint.

import { html, joinMarkup, type Markup } from '../../../packages/kit/markup.ts';
import type { Endpoint, EndpointExample } from '../../api/endpoint/endpoint.ts';
import { exampleValues } from '../../api/endpoint/example-values.ts';
import type { LedgerExamples } from '../../ledger/ledger-examples.ts';
import { endpoints } from '../../resources/endpoints.ts';
import { framePage, type PageSite } from '../frame/page-frame.ts';
import { formatDuration } from '../parts/times.ts';

export type ApiPage = {
  examples: LedgerExamples;
  /** Whether it checks contracts. */
  hasVerification: boolean;
  /** Whether it answers JSON-RPC. */
  hasRpc: boolean;
  /** ns since 1970 */
  now: bigint;
};

export function formatApiPage(site: PageSite, { examples, hasVerification, hasRpc, now }: ApiPage): string {
  const { networkName } = site;
  return framePage(site, {
    title: 'API',
    path: '/api',
    main: html`<h1>The API of this mirror</h1>
<p class="lead">Network <strong>${networkName}</strong> &middot; ${formatBlock(examples.block, now)}</p>
<p>${introduction(networkName)}</p>
<p>Left out on purpose: it holds no keys, and its pages have no wallet and write nothing to the ledger. What may be sent is sent by your own wallet, to the network or to a relay.</p>
<div class="grid">
<section class="card"><h2>Read about it</h2>
<ul class="paths">
<li><a href="/docs">/docs</a> <span>every endpoint, its parameters and answers, to try out</span></li>
<li><a href="/api/v1/docs/openapi.json">/api/v1/docs/openapi.json</a> <span>the same for programs (OpenAPI 3.1)</span></li>
<li><a href="/hiero/api/v1/docs/openapi.json">/hiero/api/v1</a> <span>the same as the Hiero mirror node answers, for wallets, relays, explorers and SDKs</span></li>
<li><a href="/proof">/proof</a> <span>proofs of transactions, results, messages and blocks, checked in your own browser</span></li>
<li><code>/spec/api/v1/blocks?follow=true</code> <span>blocks as they come, as server-sent events; also transactions, and messages of a topic</span></li>
${hasRpc ? rpcLine : null}${hasVerification ? verificationLine : null}</ul></section>
<section class="card"><h2>For operators</h2>
<ul class="paths">
${site.hasStatus() ? statusLinks : null}<li><a href="/health/readiness">/health/readiness</a> <span>whether answers can be expected</span></li>
<li><a href="/health/liveness">/health/liveness</a> <span>whether the process runs</span></li>
<li><a href="/metrics">/metrics</a> <span>counts and durations for Prometheus</span></li>
</ul></section>
</div>
<h2 class="between" id="try">Try it</h2>
<div class="columns">
${joinMarkup(formatGroups(examples), '\n')}
</div>`,
  });
}

function introduction(networkName: string): Markup {
  const what =
    'This server keeps a copy of a public ledger (Hedera or another network of its kind) and answers questions about it as JSON over HTTP: accounts, tokens, contracts with their results, scheduled transactions. What the network signed is checked before it is kept.';
  const simulated = html` The network <strong>demo</strong> is simulated on this machine: its accounts and transactions exist nowhere else.`;
  return html`${what}${networkName === 'demo' ? simulated : null}`;
}

const statusLinks = html`<li><a href="/status">/status</a> <span>how everything is, what has happened and what is planned</span></li>
<li><a href="/api/v2/summary.json">/api/v2/summary.json</a> <span>the same for programs</span></li>
`;

const rpcLine = html`<li><code>POST /rpc</code> <span>JSON-RPC, for Ethereum wallets and tools</span></li>
`;

const verificationLine = html`<li><code>POST /verify/explorer</code> <span>whether the code of a contract matches its record in an explorer (<a href="/docs">/docs</a>)</span></li>
`;

function formatBlock(block: LedgerExamples['block'], now: bigint): Markup {
  if (!block) return html`no block has been imported yet; reload this page in a moment`;
  const seconds = (now - block.consensusEnd) / 1_000_000_000n;
  return html`latest block <strong>${block.number}</strong>, ${formatDuration(seconds)} old`;
}

/** A card for each tag, in the order of the endpoints. */
function formatGroups(examples: LedgerExamples): Markup[] {
  const groups = new Map<string, Markup[]>();
  for (const endpoint of endpoints) {
    // A proof may not be at hand, and has a page of its own.
    if (!endpoint.example || endpoint.own) continue;
    const group = groups.get(endpoint.tag) ?? [];
    groups.set(endpoint.tag, group);
    group.push(formatExample(endpoint, endpoint.example, examples));
  }
  return [...groups].map(
    ([tag, lines]) => html`<section class="card"><h3>${tag}</h3>
<ul class="paths">
${joinMarkup(lines, '\n')}
</ul></section>`,
  );
}

function formatExample(
  endpoint: Endpoint,
  { text, find, missing = '' }: EndpointExample,
  examples: LedgerExamples,
): Markup {
  if (!find) return formatLink(endpoint.path, text);
  const values = exampleValues(endpoint, examples);
  if (values === null) {
    return html`<li><code>${endpoint.path.replaceAll(/\{\w+\}/g, '…')}</code> <span>${missing}</span></li>`;
  }
  return formatLink(
    endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name]!),
    text,
  );
}

function formatLink(path: string, what: string): Markup {
  return html`<li><a href="${path}">${path}</a> <span>${what}</span></li>`;
}
