// What is around every page: head, the way to the other pages, the search, and the same as JSON and as a proof.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { AllowedSources } from '../page/page.ts';
import { titleText } from '../parts/foreign-text.ts';
import { searchForm } from '../parts/search-form.ts';
import { scriptFile, styleFile } from './page-files.ts';

/** Pictures and files that a script reads may come from others, too, where the visitor asked for it. */
export function policyAllowing({ images, connects }: AllowedSources): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `connect-src ${["'self'", ...connects].join(' ')}`,
    `img-src ${["'self'", ...images].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Nothing from other origins, nothing inline; forms are sent to this server only. */
export const pagePolicy = policyAllowing({ images: [], connects: [] });

export type PageSite = {
  /** The current one, as all members here. */
  readonly networkName: string;
  /** The network's name in paths. */
  readonly slug: string;
  /** Before `/api/v1` in links: the dialect that pages ask in, where that of the port is another. */
  apiPrefix: '' | '/spec';
  /** Whether this port serves the status page, too. */
  hasStatus(): boolean;
};

export type FramedPage = {
  title: string;
  main: Markup;
  /** What is in the search box; null = the page has one of its own. */
  search?: string | null;
  /** The path, to mark where the reader is. */
  path?: string;
  json?: string | null;
  proofOf?: string | undefined;
  csv?: string | undefined;
  refreshSeconds?: number | undefined;
  /** Path of a style sheet of this page alone, after the common one. */
  style?: string;
};

const lists = [
  ['transactions', 'Transactions'],
  ['blocks', 'Blocks'],
  ['accounts', 'Accounts'],
  ['tokens', 'Tokens'],
  ['contracts', 'Contracts'],
  ['topics', 'Topics'],
  ['nodes', 'Nodes'],
  ['charts', 'Charts'],
] as const;

/** Links to the lists, from any page; made once. */
let shownWays = { slug: '', all: html``, byPath: new Map<string, Markup>() };

/** Links to the lists, of which `path` may be one. */
function waysOf(slug: string, path: string): Markup {
  if (shownWays.slug !== slug) {
    const targets = lists.map(([name]) => `/${slug}/${name}`);
    const ofPath = targets.map((target) => [target, showWays(slug, target)] as const);
    shownWays = { slug, all: showWays(slug, null), byPath: new Map(ofPath) };
  }
  return shownWays.byPath.get(path) ?? shownWays.all;
}

function showWays(slug: string, path: string | null): Markup {
  const ways = lists.map(([name, text]) => {
    const target = `/${slug}/${name}`;
    return path === target
      ? html`<li><a href="${target}" aria-current="page">${text}</a></li>`
      : html`<li><a href="${target}">${text}</a></li>`;
  });
  return html`${ways}`;
}

export function framePage(site: PageSite, page: FramedPage): string {
  const { title, main, search = '', path = '', json = null, proofOf, csv, style, refreshSeconds } = page;
  const parts = partsOf(site);
  const refresh = refreshSeconds === undefined ? '' : refreshMarkup(refreshSeconds);
  const ownStyle = style === undefined ? '' : html`\n<link rel="stylesheet" href="${style}">`.markup;
  const shownSearch = search === null ? '' : search === '' ? parts.emptySearch : searchMarkup(search);
  return `${parts.start}${refresh}<title>${html`${titleText(title)}`}${parts.ofNetwork}${ownStyle}${parts.top}${waysOf(site.slug, path)}</ul></nav>
${shownSearch}
</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="end"><div>
<ul>${sameElsewhere(site, { json, proofOf, csv })}${parts.end}`;
}

/** The same as JSON, as a proof, as a file. */
function sameElsewhere({ apiPrefix }: PageSite, { json, proofOf, csv }: Elsewhere): Markup {
  const asJson =
    json === null
      ? null
      : html`<li><a href="${json.startsWith('/api/') ? apiPrefix + json : json}">This page as JSON</a></li>`;
  const proof =
    proofOf === undefined ? null : html`<li><a href="${`/proof?of=${encodeURIComponent(proofOf)}`}">Proof</a></li>`;
  const asFile = csv === undefined ? null : html`<li><a href="${csv}" download>This list as CSV</a></li>`;
  return html`${asJson}${proof}${asFile}`;
}

type Elsewhere = { json: string | null } & Pick<FramedPage, 'proofOf' | 'csv'>;

const searchMarkup = (text: string): string => searchForm({ id: 'q', text }).markup;
const refreshMarkup = (seconds: number): string => html`<meta http-equiv="refresh" content="${seconds}">\n`.markup;

/** What all pages of a site have between what is their own. */
type FrameParts = {
  networkName: string;
  hasStatus: boolean;
  start: string;
  ofNetwork: string;
  top: string;
  emptySearch: string;
  end: string;
};

/** Of the site that was asked for last: a process has one, unless it is a test. */
let shownParts: FrameParts | null = null;

function partsOf(site: PageSite): FrameParts {
  const [networkName, hasStatus] = [site.networkName, site.hasStatus()];
  if (shownParts?.networkName !== networkName || shownParts.hasStatus !== hasStatus) {
    shownParts = { networkName, hasStatus, ...makeParts(networkName, hasStatus) };
  }
  return shownParts;
}

function makeParts(networkName: string, hasStatus: boolean) {
  const status = hasStatus ? '<li><a href="/status">Status</a></li>' : '';
  return {
    start: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
`,
    ofNetwork: html` &ndash; Ledger Mirror, ${networkName}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${styleFile.path}">`.markup,
    top: html`
<script type="module" src="${scriptFile.path}"></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="site"><div>
<a class="name" href="/"><img src="/favicon.svg" alt="" width="26" height="26">Ledger Mirror <span class="network">${networkName}</span></a>
<nav aria-label="Lists"><ul>`.markup,
    emptySearch: searchMarkup(''),
    end: `<li><a href="/api">API</a></li><li><a href="/docs">Documentation</a></li>${status}</ul>
<p data-times>Times are in UTC.</p>
</div></footer>
</body>
</html>
`,
  };
}
