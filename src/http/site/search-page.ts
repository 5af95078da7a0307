// The page for a search without a single result: all possible meanings or the reason for none, and what can be looked up.
import { html, joinMarkup, type Markup } from '../../kit/markup.ts';
import { framePage, type PageSite } from '../pages/frame/page-frame.ts';
import { searchForms } from './read-search-term.ts';

/** `location`: null if no endpoint shows it. */
export type SearchHit = { what: string; more: string; location: string | null };

type SearchPage = { text: string; message: string | null; hits: readonly SearchHit[] };

export function formatSearchPage(site: PageSite, { text, message, hits }: SearchPage): string {
  const forms = searchForms.map(({ what, form }) => html`<li>${what} <span>${form}</span></li>`);
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return framePage(site, {
    title: 'Look up',
    search: text,
    main: html`<h1>Look up</h1>
${message === null ? null : html`<p><code>${shown}</code></p>\n<p>${message}</p>`}
${hits.length === 0 ? null : html`<ul class="card paths">\n${joinMarkup(hits.map(formatHit), '\n')}\n</ul>`}
<section class="card"><h2>What can be looked up</h2>
<ul class="paths">
${joinMarkup(forms, '\n')}
</ul></section>`,
  });
}

function formatHit({ what, more, location }: SearchHit): Markup {
  const name = location === null ? html`${what}` : html`<a href="${location}">${what}</a>`;
  return html`<li>${name} <span>${more}</span></li>`;
}
