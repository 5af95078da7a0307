// The page at `/`: what this is, what is mirrored and how fresh it is, a search box, and one live example of every endpoint.
// Plain HTML and CSS, no scripts.
import { html, joinMarkup, type Markup } from '../../kit/markup.ts';
import type { LedgerExamples } from '../../ledger/ledger-examples.ts';
import type { Endpoint, EndpointExample } from '../endpoint/endpoint.ts';
import { exampleValues } from '../endpoint/example-values.ts';
import { endpoints } from '../resources/endpoints.ts';
import { formatSearchBox, formatSitePage } from './site-frame.ts';

export type LandingPage = {
  networkName: string;
  examples: LedgerExamples;
  /** Whether this port serves the status page, too. */
  hasStatus: boolean;
  /** Whether it checks contracts. */
  hasVerification: boolean;
  /** ns since 1970 */
  now: bigint;
};

export function formatLandingPage({ networkName, examples, hasStatus, hasVerification, now }: LandingPage): string {
  return formatSitePage({
    title: `Ledger Mirror – ${networkName}`,
    main: html`<h1>Ledger Mirror</h1>
<p class="state">Network <strong>${networkName}</strong> · ${formatBlock(examples.block, now)}</p>
<p>${introduction(networkName)}</p>
${formatSearchBox()}
<h2>Try it</h2>
<ul>
${joinMarkup(formatExamples(examples), '\n')}
</ul>
<h2>Read about it</h2>
<ul>
<li><a href="/docs">/docs</a> <span>every endpoint, its parameters and answers, to try out</span></li>
<li><a href="/api/v1/docs/openapi.json">/api/v1/docs/openapi.json</a> <span>the same for programs (OpenAPI 3.1)</span></li>
<li><a href="/hiero/api/v1/docs/openapi.json">/hiero/api/v1</a> <span>the same as the Hiero mirror node answers, for wallets, relays, explorers and SDKs</span></li>
<li><a href="/proof">/proof</a> <span>proofs of transactions, results, messages and blocks, checked in your own browser</span></li>
${hasVerification ? verificationLine : null}</ul>
<h2>For operators</h2>
<ul>
${hasStatus ? statusLinks : null}<li><a href="/health/readiness">/health/readiness</a> <span>whether answers can be expected</span></li>
<li><a href="/health/liveness">/health/liveness</a> <span>whether the process runs</span></li>
<li><a href="/metrics">/metrics</a> <span>counts and durations for Prometheus</span></li>
</ul>`,
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

const verificationLine = html`<li><code>POST /verify/explorer</code> <span>whether the code of a contract matches its record in an explorer (<a href="/docs">/docs</a>)</span></li>
`;

function formatBlock(block: LedgerExamples['block'], now: bigint): Markup {
  if (!block) return html`no block has been imported yet; reload this page in a moment`;
  const seconds = Number((now - block.consensusEnd) / 1_000_000_000n);
  return html`latest block <strong>${block.number}</strong>, ${formatAge(seconds)} old`;
}

const ageUnits = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
];

function formatAge(seconds: number): string {
  const unit = ageUnits.find((candidate) => seconds >= candidate.seconds * 2) ?? { name: 'second', seconds: 1 };
  const count = Math.max(0, Math.floor(seconds / unit.seconds));
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}

function formatExamples(examples: LedgerExamples): Markup[] {
  // A proof may not be at hand, and has a page of its own.
  return endpoints.flatMap((endpoint) =>
    endpoint.example && !endpoint.own ? [formatExample(endpoint, endpoint.example, examples)] : [],
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

/** Two ledger columns facing each other. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c2"/><path d="M8 9h6M8 16h6M8 23h6M18 9h6M18 16h6M18 23h6" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/><path d="M16 5v22" stroke="#fff" stroke-opacity=".5"/></svg>
`;
