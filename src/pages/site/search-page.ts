// The page for a search that leads to several things, or to none: what was found or why nothing was, and what can be
// looked up.
import { html, joinMarkup, type Markup } from '../../../packages/kit/markup.ts';
import { framePage, type PageSite } from '../frame/page-frame.ts';
import { link } from '../page/links.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { section } from '../parts/section.ts';
import { type Column, table } from '../parts/table.ts';
import { searchForms } from './read-search-term.ts';
import type { SearchHit } from './search-hit.ts';

type SearchPage = { text: string; message: string | null; hits: readonly SearchHit[] };

const columns: readonly Column<SearchHit>[] = [
  { name: 'Kind', narrow: 'amount', show: ({ kind }) => kind },
  { name: 'Name', narrow: 'title', show: ({ name, page }) => (page === null ? name : link(page, name)) },
  { name: 'About', narrow: 'start', show: ({ about }) => about },
];

export function formatSearchPage(site: PageSite, { text, message, hits }: SearchPage): string {
  const forms = searchForms.map(({ what, form }) => html`<li>${what} <span>${form}</span></li>`);
  return framePage(site, {
    title: 'Look up',
    search: text,
    main: html`<h1>Look up${text === '' ? null : html` <span class="kind">${foreignText(text, { max: 100 })}</span>`}</h1>
${message === null ? null : html`<p class="lead">${message}</p>`}
${formatHits(hits)}
${section({ id: 'forms', title: 'What can be looked up' }, html`<ul class="paths">\n${joinMarkup(forms, '\n')}\n</ul>`)}`,
  });
}

function formatHits(hits: readonly SearchHit[]): Markup | null {
  if (hits.length === 0) return null;
  return html`<div class="card">${table(columns, hits, { caption: 'What was found', none: 'Nothing.' })}</div>`;
}
