// What is shown where a search leads to nothing: why, and what can be looked for.
import { html, joinMarkup } from '../../kit/markup.ts';
import { searchForms } from './read-search-term.ts';
import { formatSearchBox, formatSitePage } from './site-frame.ts';

export function formatSearchPage({ text, message }: { text: string; message: string | null }): string {
  const forms = searchForms.map(({ what, form }) => html`<li>${what} <span>${form}</span></li>`);
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return formatSitePage({
    title: 'Ledger Mirror – search',
    main: html`<h1>Look up</h1>
${message === null ? null : html`<p><code>${shown}</code></p>\n<p>${message}</p>`}
${formatSearchBox(text)}
<h2>What can be looked up</h2>
<ul>
${joinMarkup(forms, '\n')}
</ul>
<p><a href="/">Back to the start</a></p>`,
  });
}
