// A list of the API as a page: the same endpoint answers both, with the same parameters, so that the page, its next
// page and its JSON are always of the same items.

import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import type { Endpoint, Finds } from '../../api/endpoint/endpoint.ts';
import type { Order } from '../../api/reading/page/page.ts';
import type { Page as LedgerPage } from '../../ledger/question/page.ts';
import { listDownload } from '../downloads/list-download.ts';
import { askTogether } from '../page/ask-together.ts';
import type { Page, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { type FilterField, filterForm, formatQuery, toEndpointQuery } from '../parts/filters.ts';
import { type LiveFeed, liveFeed } from '../parts/live-feed.ts';
import { type Column, table } from '../parts/table.ts';
import { canJump, findJump, readJump } from './jump.ts';
import { type ListPages, listPager } from './list-pager.ts';
import {
  orderOf,
  otherOrder,
  type PageKeys,
  type SplitQuery,
  splitQuery,
  toPrevious,
  turnBack,
  turnPosition,
} from './list-position.ts';

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
  /** Its number, where numbers have no gaps: the newest and the oldest one say how many there are. */
  numbered?(item: T): bigint;
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
  const { path, title, open, heading, endpoint, items, columns, none } = options;
  const { filters = [], lead = null, live, numbered } = options;
  // As it is before anything was chosen, which most see.
  let emptyForm: { path: string; form: Markup } | null = null;
  const formOf = (request: PageRequest): Markup | null => {
    if (filters.length === 0) return null;
    if (request.queryText !== '') return filterForm(request, filters);
    if (emptyForm?.path !== request.path) emptyForm = { path: request.path, form: filterForm(request, filters) };
    return emptyForm.form;
  };
  type All = [subject: S, answer: Awaited<ReturnType<typeof askList>>, heading: MarkupValue];
  const askList = (asked: Place['asked'], context: PageContext) => context.ask(endpoint, asked);
  const askAll = async (
    name: string,
    asked: Place['asked'],
    request: PageRequest,
    context: PageContext,
  ): Promise<All> => {
    // Most lists ask one question.
    if (!open && !heading) return [undefined as S, await askList(asked, context), html`<h1>${name}</h1>`];
    const opened = open?.(request, context) ?? Promise.resolve(undefined as S);
    const headed = heading ? opened.then((own) => heading(request, context, own)) : html`<h1>${name}</h1>`;
    return askTogether([opened, askList(asked, context), headed]);
  };
  return {
    path,
    download: toDownload(options),
    async ask(request, context) {
      const place =
        request.queryText === '' ? plainPlace(options, request, context) : await readPlace(options, request, context);
      if ('location' in place) return place;
      const { split, turned, start, asked } = place;
      const name = title(request);
      const [subject, { found, nextQuery }, shownHeading] = await askAll(name, asked, request, context);
      const askFor = async (query: string): Promise<readonly T[]> => {
        const other = await context.ask(endpoint, { params: asked.params, queryText: query });
        return items(other.found, context);
      };
      // A full page has a next one, which may be empty. Where nothing is before it, this is the whole first page.
      const hasMore = async (query: string) => (await askFor(`${without(query, ['limit'])}&limit=1`)).length > 0;
      if (turned && (nextQuery === null || !(await hasMore(nextQuery)))) {
        return { location: withQuery(request.path, start) };
      }
      const listed = await items(found, context);
      const shownItems = turned ? listed.toReversed() : listed;
      const columnsShown = columns(context, request, subject);
      const hasFile = columnsShown.some(({ fields = [] }) => fields.length > 0);
      const shown = table(columnsShown, shownItems, { caption: name, none });
      const feed = request.queryText === '' ? live?.(request) : undefined;
      const [newest] = listed;
      const count = async (number: (item: T) => bigint, item: T): Promise<bigint | null> => {
        const oldest = await context.oldestNumber(pathOfJson(endpoint, asked.params, ''), async () => {
          const [first] = await askFor('order=asc&limit=1');
          return first === undefined ? null : number(first);
        });
        return oldest === null ? null : number(item) - oldest + 1n;
      };
      const isCounted = place.isWhole && nextQuery !== null && numbered !== undefined && newest !== undefined;
      const pages = {
        ...toPages({ split, keys: endpoint, isTurned: turned !== null, nextQuery }),
        ...{ path: request.path, first: place.isFirst ? null : start, chosen: split.chosen },
        count: isCounted ? await count(numbered, newest) : null,
        canJump: canJump(endpoint),
      };
      return {
        title: name,
        main: html`${shownHeading}
${lead}<div class="card"${feed ? liveFeed(feed, context) : null}>${formOf(request)}${shown}${listPager(pages, context)}</div>`,
        json: options.json === null ? null : pathOfJson(endpoint, asked.params, asked.queryText),
        ...(hasFile ? { csv: pathOfCsv(turned ? { ...request, queryText: start } : request) } : {}),
      };
    },
  };
}

type PlaceOptions = Querying & {
  endpoint: Endpoint;
  params?(request: PageRequest): Readonly<Record<string, string>>;
  filters?: readonly FilterField[];
};

type Place = {
  split: SplitQuery;
  /** Of the page before, in the other order; null = the page is shown as it is asked for. */
  turned: string[] | null;
  /** Query of the first page. */
  start: string;
  asked: { params: Readonly<Record<string, string>>; queryText: string };
  isFirst: boolean;
  /** Whether it is the beginning of the list of all, the newest first. */
  isWhole: boolean;
};

/** As below, of a request without a query, which most are. */
function plainPlace(options: PlaceOptions, request: PageRequest, context: PageContext): Place {
  const asked = { params: options.params?.(request) ?? {}, queryText: toAskedQuery(options, request) };
  const isWhole = usualOrder(options, context) === 'desc';
  return {
    split: { chosen: [], position: [], isPrevious: false },
    turned: null,
    start: '',
    asked,
    isFirst: true,
    isWhole,
  };
}

/** Which page of which list a request means, and what the endpoint is asked for it; or where it leads instead. */
async function readPlace(
  options: PlaceOptions,
  request: PageRequest,
  context: PageContext,
): Promise<Place | { location: string }> {
  const { endpoint, params, filters = [], order } = options;
  const { queryText } = request;
  const usual = usualOrder(options, context);
  const jumped = canJump(endpoint) ? await toJumped(request, { keys: endpoint, usual, context }) : null;
  const meant = jumped ?? toEndpointQuery(queryText, filters);
  if (meant !== null) return { location: withQuery(request.path, meant) };
  const split = splitQuery(queryText, endpoint);
  const turned = split.isPrevious ? turnPosition(split, endpoint) : null;
  // The order that the page has anyway is in the query of its other pages only.
  const start = split.chosen.filter((part) => part !== `order=${order}`).join('&');
  if (split.isPrevious && turned === null) return { location: withQuery(request.path, start) };
  const shown = orderOf(split.chosen, usual);
  const ofEndpoint = turned ? toTurnedQuery(split.chosen, turned, shown) : queryText;
  const asked = {
    params: params?.(request) ?? {},
    queryText: toAskedQuery(options, { ...request, queryText: ofEndpoint }),
  };
  const isFirst = queryText === split.chosen.join('&');
  const isWhole = isFirst && shown === 'desc' && split.chosen.every((part) => /^(limit|order)=/.test(part));
  return { split, turned, start, asked, isFirst, isWhole };
}

/** Queries of the pages beside this one. `nextQuery`: of what the endpoint was asked. */
function toPages({ split, keys, isTurned, nextQuery }: Beside): Pick<ListPages, 'previous' | 'next' | 'position'> {
  const { chosen, position } = split;
  if (!isTurned) {
    const canTurn = turnPosition(split, keys) !== null;
    const next = nextQuery === null ? null : [...chosen, ...splitQuery(nextQuery, keys).position].join('&');
    return { previous: canTurn ? toPrevious(chosen, position) : null, next, position };
  }
  const before = nextQuery === null ? null : turnBack(nextQuery, keys);
  const next = [...chosen, ...position].join('&');
  return { previous: before && toPrevious(chosen, before), next, position: [] };
}

type Beside = { split: SplitQuery; keys: PageKeys; isTurned: boolean; nextQuery: string | null };

type Jumping = { keys: PageKeys; usual: Order; context: PageContext };

/** The query that the field for a time means; null = it was not sent. Throws RequestError. */
async function toJumped({ queryText }: PageRequest, { keys, usual, context }: Jumping): Promise<string | null> {
  const jump = readJump(queryText);
  if (jump === null) return null;
  const { chosen } = splitQuery(jump.rest, keys);
  const position = await findJump(jump.text, keys, { order: orderOf(chosen, usual), context });
  return [...chosen, ...(position === null ? [] : [position])].join('&');
}

function toTurnedQuery(chosen: readonly string[], turned: readonly string[], shown: Order): string {
  return [...chosen.filter((part) => !part.startsWith('order=')), `order=${otherOrder(shown)}`, ...turned].join('&');
}

/** Of the list where its query says none. */
function usualOrder({ order, endpoint }: { order?: Order; endpoint: Endpoint }, context: PageContext): Order {
  if (order !== undefined) return order;
  const known = usualOrders.get(endpoint);
  if (known !== undefined) return known;
  const schema = endpoint.query.order?.schema({ dialect: findDialect('spec'), settings: context.settings });
  const usual = (schema?.default as Order | undefined) ?? 'asc';
  usualOrders.set(endpoint, usual);
  return usual;
}

/** To make the schema of a parameter takes as long as three rows. */
const usualOrders = new WeakMap<Endpoint, Order>();

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
  if (queryText === '' && !fixed) return order ? `order=${order}` : '';
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

/** Path and query of an endpoint's answer. */
export function pathOfJson(endpoint: Endpoint, params: Readonly<Record<string, string>> = {}, queryText = ''): string {
  if (!endpoint.path.includes('{')) return withQuery(endpoint.path, queryText);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  return withQuery(path, queryText);
}
