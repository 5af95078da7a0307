// A list that no endpoint answers, as a page and as a file: a page begins behind the item that its query names.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Page as LedgerPage } from '../../ledger/question/page.ts';
import { listDownload } from '../downloads/list-download.ts';
import type { Page, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { type Column, pager, table } from '../parts/table.ts';

export type KeysetList<T, K, S> = {
  path: string;
  title(request: PageRequest): string;
  /** What the list is about. Throws RequestError. */
  open(request: PageRequest, context: PageContext): Promise<S>;
  heading(request: PageRequest, context: PageContext, subject: S): Markup | Promise<Markup>;
  find(asked: { after: K | null; limit: number }, context: PageContext, subject: S): Promise<LedgerPage<T, K>>;
  /** The key of an item as a text, and back; undefined = the text is none. */
  format(key: K): string;
  parse(text: string): K | undefined;
  columns(context: PageContext, subject: S): readonly Column<T>[];
  /** The sentence for an empty list. */
  none: string;
  /** Of the query, beside `after` and `limit`: its values. The first one is meant where there is none. */
  choices?: Readonly<Record<string, readonly string[]>>;
};

export function keysetList<T, K, S>(options: KeysetList<T, K, S>): Page {
  const { path, title, open, heading, find, columns, none } = options;
  return {
    path,
    download: listDownload<T>({
      path: `${path}.csv`,
      async fields(context, request) {
        const subject = await open(request, context);
        return columns(context, subject).flatMap(({ fields = [] }) => fields);
      },
      open: (context) => {
        let subject: Promise<S> | null = null;
        return async (request) => {
          subject ??= open(request, context);
          const found = await find(readAsked(options, request, context), context, await subject);
          return { items: found.items, nextQuery: toNextQuery(options, request, found.next) };
        };
      },
    }),
    ask: (request, outer) =>
      outer.snapshot(async (context) => {
        const asked = readAsked(options, request, context);
        const subject = await open(request, context);
        const { items, next } = await find(asked, context, subject);
        const nextQuery = toNextQuery(options, request, next);
        const first = toQuery(request.queryText, { after: null });
        const start = first === '' ? request.path : `${request.path}?${first}`;
        const name = title(request);
        const csv = `${request.path}.csv${request.queryText === '' ? '' : `?${request.queryText}`}`;
        return {
          title: name,
          json: null,
          csv,
          main: html`${await heading(request, context, subject)}
<div class="card">${table(columns(context, subject), items, { caption: name, none })}${pager(request.path, nextQuery, asked.after === null, start)}</div>`,
        };
      }),
  };
}

/** A value of the query among those that it may have. Throws RequestError. */
export function chosenValue<T extends string>({ queryText }: PageRequest, name: string, values: readonly T[]): T {
  const text = new URLSearchParams(queryText).get(name);
  const found = text === null || text === '' ? values[0] : values.find((value) => value === text);
  if (found === undefined) throw refuse('invalidParameter', { name });
  return found;
}

const maxKeyLength = 300;

function readAsked<T, K, S>(
  { parse, choices = {} }: KeysetList<T, K, S>,
  request: PageRequest,
  { settings }: Pick<PageContext, 'settings'>,
): { after: K | null; limit: number } {
  const query = new URLSearchParams(request.queryText);
  for (const name of query.keys()) {
    if (name !== 'after' && name !== 'limit' && !Object.hasOwn(choices, name))
      throw refuse('unknownParameter', { name });
  }
  for (const [name, values] of Object.entries(choices)) chosenValue(request, name, values);
  const text = query.get('after');
  const after = text === null ? null : text.length > maxKeyLength ? undefined : parse(text);
  if (after === undefined) throw refuse('invalidParameter', { name: 'after' });
  const size = query.get('limit') ?? String(settings.limitDefault);
  if (!/^[1-9]\d{0,8}$/.test(size)) throw refuse('invalidParameter', { name: 'limit' });
  return { after, limit: Math.min(Number(size), settings.limitMax) };
}

function toNextQuery<T, K, S>({ format }: KeysetList<T, K, S>, { queryText }: PageRequest, next: K | null) {
  return next === null ? null : toQuery(queryText, { after: format(next) });
}

function toQuery(queryText: string, { after }: { after: string | null }): string {
  const query = new URLSearchParams(queryText);
  query.delete('after');
  if (after !== null) query.set('after', after);
  return query.toString();
}

/** Digits of a number of any size that the store may have; undefined = the text is none. */
export function parseNumber(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,90}$/.test(text) ? BigInt(text) : undefined;
}

const maxInt64 = 2n ** 63n - 1n;

export function parseInt64(text: string | undefined): bigint | undefined {
  const value = parseNumber(text);
  return value === undefined || value > maxInt64 ? undefined : value;
}
