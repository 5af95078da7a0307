// What is below a list: links to its other pages, how many rows a page has, and the way to a time in it.
import { LRUCache } from 'lru-cache';
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount } from '../parts/amounts.ts';
import { jumpForm } from './jump.ts';

export type ListPages = {
  path: string;
  /** Queries of the other pages; null = there is none. */
  first: string | null;
  previous: string | null;
  next: string | null;
  /** What is listed, as parts of the query. */
  chosen: readonly string[];
  /** Where this page begins, where another number of rows can begin there, too. */
  position: readonly string[];
  /** How many items there are in all; null = it is not known. */
  count: bigint | null;
  /** Whether the list is ordered by time. */
  canJump: boolean;
};

const sizes = [25, 50, 100];

/** null where all is on this page. */
export function listPager(pages: ListPages, { settings }: Pick<PageContext, 'settings'>): Markup | null {
  const { path, first, previous, next, chosen, count } = pages;
  const isAll = first === null && previous === null && next === null;
  const hasSize = chosen.some((part) => part.startsWith('limit='));
  if (isAll && !hasSize) return null;
  const to = (query: string | null, text: string, rel: string | null): MarkupValue =>
    query === null
      ? null
      : html`<a href="${query === '' ? path : `${path}?${query}`}"${rel === null ? null : html` rel="${rel}"`}>${text}</a>`;
  const links = [to(first, 'First page', null), to(previous, 'Previous page', 'prev'), to(next, 'Next page', 'next')];
  const all = count === null ? null : html`<span class="faint">${formatCount(count)} in all</span>`;
  const jump = pages.canJump ? formOf(pages) : null;
  return html`<nav class="pager" aria-label="Pages of the list">${links}${all}${sizesOf(pages, settings)}</nav>${jump}`;
}

type Settings = Pick<PageContext['settings'], 'limitDefault' | 'limitMax'>;

/** Of lists as they are before anything was chosen, by path: each would take as long as four rows. */
const maxKept = 200;
const keptForms = new LRUCache<string, Markup>({ max: maxKept });
const keptSizes = new LRUCache<string, { settings: Settings; shown: MarkupValue }>({ max: maxKept });

const isPlain = ({ chosen, position }: ListPages): boolean => chosen.length + position.length === 0;

function formOf(pages: ListPages): Markup {
  const { path, chosen } = pages;
  if (!isPlain(pages)) return jumpForm(path, chosen);
  const form = keptForms.get(path) ?? jumpForm(path, chosen);
  keptForms.set(path, form);
  return form;
}

function sizesOf(pages: ListPages, settings: Settings): MarkupValue {
  if (!isPlain(pages)) return sizeLinks(pages, settings);
  const kept = keptSizes.get(pages.path);
  if (kept?.settings === settings) return kept.shown;
  const shown = sizeLinks(pages, settings);
  keptSizes.set(pages.path, { settings, shown: shown === null ? null : html`${shown}` });
  return shown;
}

function sizeLinks({ path, chosen, position }: ListPages, { limitDefault, limitMax }: Settings): MarkupValue {
  const given = chosen.findLast((part) => part.startsWith('limit='))?.slice('limit='.length);
  const current = given === undefined ? limitDefault : Number(given);
  const offered = [...new Set([limitDefault, ...sizes.filter((size) => size <= limitMax)])].sort((a, b) => a - b);
  if (offered.length < 2) return null;
  const others = chosen.filter((part) => !part.startsWith('limit='));
  const links = offered.map((size) => {
    if (size === current) return html`<span aria-current="true">${size}</span>`;
    const query = [...others, ...(size === limitDefault ? [] : [`limit=${size}`]), ...position].join('&');
    return html`<a href="${query === '' ? path : `${path}?${query}`}" aria-label="${size} rows a page">${size}</a>`;
  });
  return html`<span class="sizes">Rows: ${links}</span>`;
}
