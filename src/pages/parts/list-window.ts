// A list that is known whole and shown in parts: a parameter of the page says where a part begins.

import { html, type Markup } from '../../../packages/kit/markup.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { formatCount } from './amounts.ts';

type ListWindow<T> = {
  shown: readonly T[];
  /** Position of the first of them. */
  start: number;
  /** Links to the other parts; null = this is all. */
  pager: Markup | null;
};

/** Of a request to a page. */
type ListRequest = { path: string; queryText: string };

type ListWindowOptions = {
  /** Of the parameter. */
  name: string;
  /** Of the section that shows the list. */
  id: string;
  size?: number;
};

/** Throws RequestError. */
export function listWindow<T>(
  items: readonly T[],
  { path, queryText }: ListRequest,
  { name, id, size = 25 }: ListWindowOptions,
): ListWindow<T> {
  const start = windowStart(queryText, name);
  const shown = items.slice(start, start + size);
  const end = start + shown.length;
  if (start === 0 && end === items.length) return { shown, start, pager: null };
  const first = start === 0 ? null : html`<a href="${`${path}#${id}`}">First part</a>`;
  const next = end >= items.length ? null : html`<a href="${`${path}?${name}=${end}#${id}`}" rel="next">Next part</a>`;
  const place = shown.length === 0 ? 'None here' : `${formatCount(start + 1)} to ${formatCount(end)}`;
  const pager = html`<nav class="pager" aria-label="${`Parts of the list of ${name}`}"><span class="faint">${place} of ${formatCount(items.length)}</span>${first}${next}</nav>`;
  return { shown, start, pager };
}

/** Throws RequestError. */
export function windowStart(queryText: string, name: string): number {
  const text = new URLSearchParams(queryText).get(name);
  if (text === null) return 0;
  if (!/^\d{1,9}$/.test(text)) throw refuse('invalidParameter', { name });
  return Number(text);
}
