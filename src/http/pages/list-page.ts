// A list of the API as a page: the same endpoint answers both, with the same parameters, so that the page, its next page and
// its JSON are always of the same items.
import { html, type Markup, type MarkupValue } from '../../kit/markup.ts';
import type { Page as LedgerPage } from '../../ledger/question/page.ts';
import type { Endpoint, Finds } from '../endpoint/endpoint.ts';
import type { Page, PageRequest } from './page.ts';
import type { PageContext } from './page-context.ts';
import { type FilterField, filterForm, formatQuery, toEndpointQuery } from './parts/filters.ts';
import { type LiveFeed, liveFeed } from './parts/live-feed.ts';
import { type Column, pager, table } from './parts/table.ts';

export type ListPageOptions<T, F> = {
  path: string;
  title(request: PageRequest): string;
  /** Default: the title. */
  heading?(request: PageRequest, context: PageContext): MarkupValue | Promise<MarkupValue>;
  endpoint: Endpoint & Finds<F>;
  /** Of the endpoint's path. */
  params?(request: PageRequest): Readonly<Record<string, string>>;
  items: (found: F) => readonly T[];
  columns(context: PageContext, request: PageRequest): readonly Column<T>[];
  /** The sentence for an empty list. */
  none: string;
  /** null = the API does not answer the endpoint. */
  json?: null;
  /** Of a form that chooses among the items. */
  filters?: readonly FilterField[];
  /** Parameters of the query that the path stands for. */
  fixed?(request: PageRequest): Readonly<Record<string, string>>;
  /** Of the endpoint, where the page shows another end of the list first. */
  order?: 'asc' | 'desc';
  /** Before the list. */
  lead?: Markup;
  /** Of new items; only on the first page of all. */
  live?(request: PageRequest): LiveFeed;
};

/** An item of the pages that an endpoint finds: `ItemOf<typeof listBlocks>`. */
export type ItemOf<E> = E extends Finds<infer F> ? (F extends LedgerPage<infer T, unknown> ? T : never) : never;

/** Of endpoints that find a page of items. */
export function itemsOfPage<T>({ items }: LedgerPage<T, unknown>): readonly T[] {
  return items;
}

export function listPage<T, F>(options: ListPageOptions<T, F>): Page {
  const { path, title, heading, endpoint, params = () => ({}), fixed = () => ({}), items, columns, none } = options;
  const { filters = [], order, lead = null, live } = options;
  return {
    path,
    async ask(request, context) {
      const { queryText } = request;
      const chosen = toEndpointQuery(queryText, filters);
      if (chosen !== null) return { location: withQuery(request.path, chosen) };
      const given = new URLSearchParams(queryText);
      const stands = new URLSearchParams(fixed(request));
      if (order && !given.has('order')) stands.set('order', order);
      const added = formatQuery(stands);
      const asked = { params: params(request), queryText: [added, queryText].filter((part) => part !== '').join('&') };
      const { found, nextQuery } = await context.ask(endpoint, asked);
      const name = title(request);
      const chosenOnly = withoutPosition(queryText, endpoint.next);
      const isFirst = chosenOnly === queryText;
      // The order that the page has anyway is in the query of the next page only.
      const start = chosenOnly.split('&').filter((part) => part !== `order=${order}`);
      const shown = table(columns(context, request), items(found), { caption: name, none });
      const feed = queryText === '' ? live?.(request) : undefined;
      const form = filters.length === 0 ? null : filterForm(request, filters);
      const next = nextQuery === null ? null : without(nextQuery, Object.keys(fixed(request)));
      const list = html`${form}${shown}${pager(request.path, next, isFirst, withQuery(request.path, start.join('&')))}`;
      return {
        title: name,
        main: html`${heading ? await heading(request, context) : html`<h1>${name}</h1>`}
${lead}<div class="card"${feed ? liveFeed(feed) : null}>${list}</div>`,
        json: options.json === null ? null : pathOfJson(endpoint, asked.params, asked.queryText),
      };
    },
  };
}

function withQuery(path: string, queryText: string): string {
  return queryText === '' ? path : `${path}?${queryText}`;
}

function without(queryText: string, names: readonly string[]): string {
  if (names.length === 0) return queryText;
  const query = new URLSearchParams(queryText);
  for (const name of names) query.delete(name);
  return formatQuery(query);
}

/** Without the bounds by which a next page begins. */
function withoutPosition(queryText: string, keys: readonly string[]): string {
  const kept = queryText.split('&').filter((part) => {
    const [name, value = ''] = decodePart(part).split(/=(.*)/s) as [string, string?];
    return !keys.includes(name) || !/^[lg]t/.test(value) || (keys.length === 1 && /^[lg]te:/.test(value));
  });
  return kept.join('&');
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    // Such a query is refused by the endpoint.
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** Path and query of an endpoint's answer. */
export function pathOfJson(endpoint: Endpoint, params: Readonly<Record<string, string>> = {}, queryText = ''): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  return queryText === '' ? path : `${path}?${queryText}`;
}
