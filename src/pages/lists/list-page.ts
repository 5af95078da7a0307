// A list of the API as a page: the same endpoint answers both, with the same parameters, so that the page, its next
// page and its JSON are always of the same items.

import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { Endpoint, Finds } from '../../api/endpoint/endpoint.ts';
import type { Page as LedgerPage } from '../../ledger/question/page.ts';
import { listDownload } from '../downloads/list-download.ts';
import { askTogether } from '../page/ask-together.ts';
import type { Page, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { type FilterField, filterForm, formatQuery, toEndpointQuery } from '../parts/filters.ts';
import { type LiveFeed, liveFeed } from '../parts/live-feed.ts';
import { type Column, pager, table } from '../parts/table.ts';

export type ListPageOptions<T, F, S = undefined> = {
  path: string;
  title(request: PageRequest): string;
  /** What the list is about, where the path names it. Throws RequestError. */
  open?(request: PageRequest, context: PageContext): Promise<S>;
  /** Default: the title. */
  heading?(request: PageRequest, context: PageContext, subject: S): MarkupValue | Promise<MarkupValue>;
  endpoint: Endpoint & Finds<F>;
  /** Of the endpoint's path. */
  params?(request: PageRequest): Readonly<Record<string, string>>;
  /** With a promise: what columns need is looked up first. */
  items: (found: F, context: PageContext) => readonly T[] | Promise<readonly T[]>;
  /** With `fields` the list is a file, too. */
  columns(context: PageContext, request: PageRequest, subject: S): readonly Column<T>[];
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

export function listPage<T, F, S = undefined>(options: ListPageOptions<T, F, S>): Page {
  const { path, title, open, heading, endpoint, params = () => ({}), items, columns, none } = options;
  const { filters = [], order, lead = null, live } = options;
  return {
    path,
    download: toDownload(options),
    async ask(request, context) {
      const { queryText } = request;
      const chosen = toEndpointQuery(queryText, filters);
      if (chosen !== null) return { location: withQuery(request.path, chosen) };
      const asked = { params: params(request), queryText: toAskedQuery(options, request) };
      const opened = open?.(request, context) ?? Promise.resolve(undefined as S);
      const name = title(request);
      const [subject, { found, nextQuery }, shownHeading] = await askTogether([
        opened,
        context.ask(endpoint, asked),
        heading ? opened.then((own) => heading(request, context, own)) : html`<h1>${name}</h1>`,
      ]);
      const chosenOnly = withoutPosition(queryText, endpoint.next);
      const isFirst = chosenOnly === queryText;
      // The order that the page has anyway is in the query of the next page only.
      const start = chosenOnly.split('&').filter((part) => part !== `order=${order}`);
      const listed = await items(found, context);
      const columnsShown = columns(context, request, subject);
      const hasFile = columnsShown.some(({ fields = [] }) => fields.length > 0);
      const shown = table(columnsShown, listed, { caption: name, none });
      const feed = queryText === '' ? live?.(request) : undefined;
      const form = filters.length === 0 ? null : filterForm(request, filters);
      const next = toShownQuery(options, request, nextQuery);
      const list = html`${form}${shown}${pager(request.path, next, isFirst, withQuery(request.path, start.join('&')))}`;
      return {
        title: name,
        main: html`${shownHeading}
${lead}<div class="card"${feed ? liveFeed(feed, context) : null}>${list}</div>`,
        json: options.json === null ? null : pathOfJson(endpoint, asked.params, asked.queryText),
        ...(hasFile ? { csv: pathOfCsv(request) } : {}),
      };
    },
  };
}

function toDownload<T, F, S>(options: ListPageOptions<T, F, S>) {
  const { path, endpoint, params, items, columns, open } = options;
  return listDownload<T>({
    path: `${path}.csv`,
    async fields(context, request) {
      const subject = (await open?.(request, context)) as S;
      return columns(context, request, subject).flatMap(({ fields = [] }) => fields);
    },
    open: (context) => async (request) => {
      const asked = { params: params?.(request) ?? {}, queryText: toAskedQuery(options, request) };
      const { found, nextQuery } = await context.ask(endpoint, asked);
      return { items: await items(found, context), nextQuery: toShownQuery(options, request, nextQuery) };
    },
  });
}

type Querying = Pick<ListPageOptions<unknown, unknown>, 'fixed' | 'order'>;

/** The query of the endpoint: what the path stands for, and what was typed. */
function toAskedQuery({ fixed, order }: Querying, request: PageRequest): string {
  const { queryText } = request;
  const stands = new URLSearchParams(fixed?.(request) ?? {});
  if (order && !new URLSearchParams(queryText).has('order')) stands.set('order', order);
  return [formatQuery(stands), queryText].filter((part) => part !== '').join('&');
}

/** The query of the page, from that of the endpoint. */
function toShownQuery({ fixed }: Querying, request: PageRequest, queryText: string | null): string | null {
  return queryText === null ? null : without(queryText, Object.keys(fixed?.(request) ?? {}));
}

/** Path and query of the file with what a page lists. */
export function pathOfCsv({ path, queryText }: PageRequest): string {
  return withQuery(`${path.replace(/\/$/, '')}.csv`, queryText);
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
