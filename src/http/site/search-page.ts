// What is shown where a search leads to nothing: why, and what can be looked for.
import { searchForms } from './read-search-term.ts';
import { escapeHtml, formatSearchBox, formatSitePage } from './site-frame.ts';

export function formatSearchPage({ text, message }: { text: string; message: string | null }): string {
  const forms = searchForms.map(({ what, form }) => `<li>${escapeHtml(what)} <span>${escapeHtml(form)}</span></li>`);
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return formatSitePage({
    title: 'Ledger Mirror – search',
    main: `<h1>Look up</h1>
${message === null ? '' : `<p><code>${escapeHtml(shown)}</code></p>\n<p>${escapeHtml(message)}</p>`}
${formatSearchBox(text)}
<h2>What can be looked up</h2>
<ul>
${forms.join('\n')}
</ul>
<p><a href="/">Back to the start</a></p>`,
  });
}
