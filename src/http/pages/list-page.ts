// A list of the API as a page: the same endpoint answers both, with the same parameters, so that the page, its next page and
// its JSON are always of the same items.
import { html, type Markup, type MarkupValue } from '../../kit/markup.ts';
import type { Page as LedgerPage } from '../../ledger/question/page.ts';
import type { Endpoint, Finds } from '../endpoint/endpoint.ts';
import { listDownload } from './downloads/list-download.ts';
import type { Page, PageRequest } from './page.ts';
import type { PageContext } from './page-context.ts';
import { type Column, pager, table } from './parts/table.ts';

export type ListPageOptions<T, F> = {
  path: string;
  title(request: PageRequest): string;
  /** Default: the title. */
  heading?(request: PageRequest, context: PageContext): MarkupValue | Promise<MarkupValue>;
  endpoint: Endpoint & Finds<F>;
  /** Of the endpoint's path. */
  params?(request: PageRequest): Readonly<Record<string, string>>;
  /** With a promise: what columns need is looked up first. */
  items: (found: F, context: PageContext) => readonly T[] | Promise<readonly T[]>;
  /** With `fields` the list is a file, too. */
  columns(context: PageContext, request: PageRequest): readonly Column<T>[];
  /** The sentence for an empty list. */
  none: string;
  /** A form that chooses among the items, with the endpoint's parameters as fields. */
  filters?(request: PageRequest): Markup;
  /** Path and query of the feed of new items, and what they are called; only on the first page. */
  live?(request: PageRequest): { url: string; name: string };
};

/** An item of the pages that an endpoint finds: `ItemOf<typeof listBlocks>`. */
export type ItemOf<E> = E extends Finds<infer F> ? (F extends LedgerPage<infer T, unknown> ? T : never) : never;

/** Of endpoints that find a page of items. */
export function itemsOfPage<T>({ items }: LedgerPage<T, unknown>): readonly T[] {
  return items;
}

export function listPage<T, F>(options: ListPageOptions<T, F>): Page {
  const { path, title, heading, endpoint, params = () => ({}), items, columns, none, filters, live } = options;
  return {
    path,
    download: toDownload(options),
    async ask(request, context) {
      const { queryText } = request;
      const asked = { params: params(request), queryText };
      const { found, nextQuery } = await context.ask(endpoint, asked);
      const name = title(request);
      const isFirst = !isLaterPage(queryText);
      const listed = await items(found, context);
      const columnsShown = columns(context, request);
      const hasFile = columnsShown.some(({ fields = [] }) => fields.length > 0);
      const shown = table(columnsShown, listed, { caption: name, none });
      const feed = isFirst && queryText === '' ? live?.(request) : undefined;
      const list = html`${filters?.(request) ?? null}${shown}${pager(request.path, nextQuery, isFirst)}`;
      return {
        title: name,
        main: html`${heading ? await heading(request, context) : html`<h1>${name}</h1>`}
${feed ? html`<div class="card" data-live="${feed.url}" data-live-name="${feed.name}">${list}</div>` : html`<div class="card">${list}</div>`}`,
        json: pathOfJson(endpoint, asked.params, queryText),
        ...(hasFile ? { csv: pathOfCsv(request) } : {}),
      };
    },
  };
}

function toDownload<T, F>({ path, endpoint, params, items, columns }: ListPageOptions<T, F>) {
  return listDownload<T>({
    path: `${path}.csv`,
    fields: (context, request) => columns(context, request).flatMap(({ fields = [] }) => fields),
    open: (context) => async (request) => {
      const { queryText } = request;
      const { found, nextQuery } = await context.ask(endpoint, { params: params?.(request) ?? {}, queryText });
      return { items: await items(found, context), nextQuery };
    },
  });
}

/** Path and query of the file with what a page lists. */
export function pathOfCsv({ path, queryText }: PageRequest): string {
  return `${path.replace(/\/$/, '')}.csv${queryText === '' ? '' : `?${queryText}`}`;
}

/** Path and query of an endpoint's answer. */
export function pathOfJson(endpoint: Endpoint, params: Readonly<Record<string, string>> = {}, queryText = ''): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  return queryText === '' ? path : `${path}?${queryText}`;
}

/** Next links bound the key of the list on one side. */
function isLaterPage(queryText: string): boolean {
  return /[=:](?:lt|gt)e?(?::|%3A)/i.test(queryText);
}
