// A list of the API as a page: the same endpoint answers both, with the same parameters, so that the page, its next page and
// its JSON are always of the same items.
import { html, type Markup, type MarkupValue } from '../../kit/markup.ts';
import type { Page as LedgerPage } from '../../ledger/question/page.ts';
import type { Endpoint, Finds } from '../endpoint/endpoint.ts';
import type { Page, PageRequest } from './page.ts';
import type { PageContext } from './page-context.ts';
import { type Column, pager, table } from './parts/table.ts';

export type ListPageOptions<T, F, S = undefined> = {
  path: string;
  title(request: PageRequest): string;
  /** What the list is about, where the path names it. Throws RequestError. */
  open?(request: PageRequest, context: PageContext): Promise<S>;
  /** Default: the title. */
  heading?(request: PageRequest, context: PageContext, subject: S): MarkupValue;
  endpoint: Endpoint & Finds<F>;
  /** Of the endpoint's path. */
  params?(request: PageRequest): Readonly<Record<string, string>>;
  items: (found: F) => readonly T[];
  columns(context: PageContext, request: PageRequest, subject: S): readonly Column<T>[];
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

export function listPage<T, F, S = undefined>(options: ListPageOptions<T, F, S>): Page {
  const { path, title, open, heading, endpoint, params = () => ({}), items, columns, none, filters, live } = options;
  return {
    path,
    async ask(request, context) {
      const { queryText } = request;
      const asked = { params: params(request), queryText };
      const subject = (await open?.(request, context)) as S;
      const { found, nextQuery } = await context.ask(endpoint, asked);
      const name = title(request);
      const isFirst = !isLaterPage(queryText);
      const shown = table(columns(context, request, subject), items(found), { caption: name, none });
      const feed = isFirst && queryText === '' ? live?.(request) : undefined;
      const list = html`${filters?.(request) ?? null}${shown}${pager(request.path, nextQuery, isFirst)}`;
      return {
        title: name,
        main: html`${heading ? heading(request, context, subject) : html`<h1>${name}</h1>`}
${feed ? html`<div class="card" data-live="${feed.url}" data-live-name="${feed.name}">${list}</div>` : html`<div class="card">${list}</div>`}`,
        json: pathOfJson(endpoint, asked.params, queryText),
      };
    },
  };
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
