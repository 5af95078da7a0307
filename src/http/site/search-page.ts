// The page for a search without a single result: all possible meanings or the reason for none, and what can be looked up.
import { html, joinMarkup, type Markup } from '../../kit/markup.ts';
import { searchForms } from './read-search-term.ts';
import { formatSearchBox, formatSitePage } from './site-frame.ts';

/** `location`: null if no endpoint shows it. */
export type SearchHit = { what: string; more: string; location: string | null };

type SearchPage = { text: string; message: string | null; hits: readonly SearchHit[] };

export function formatSearchPage({ text, message, hits }: SearchPage): string {
  const forms = searchForms.map(({ what, form }) => html`<li>${what} <span>${form}</span></li>`);
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return formatSitePage({
    title: 'Ledger Mirror – search',
    main: html`<h1>Look up</h1>
${message === null ? null : html`<p><code>${shown}</code></p>\n<p>${message}</p>`}
${hits.length === 0 ? null : html`<ul>\n${joinMarkup(hits.map(formatHit), '\n')}\n</ul>`}
${formatSearchBox(text)}
<h2>What can be looked up</h2>
<ul>
${joinMarkup(forms, '\n')}
</ul>
<p><a href="/">Back to the start</a></p>`,
  });
}

function formatHit({ what, more, location }: SearchHit): Markup {
  const name = location === null ? html`${what}` : html`<a href="${location}">${what}</a>`;
  return html`<li>${name} <span>${more}</span></li>`;
}
