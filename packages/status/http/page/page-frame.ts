// The frame of all status pages: head, name, links to the other pages and to the feeds. No scripts and nothing from
// other hosts; the policy enforces it.
import { hash } from 'node:crypto';
import { html, joinMarkup, type Markup, trustedMarkup } from '../../../kit/markup.ts';
import { pageStyle } from './page-style.ts';
import type { StatusView } from './status-view.ts';

/** Nothing may run, load or be sent, even if hostile text ever got through unescaped. */
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', pageStyle, 'base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'`;

export function formatPage(view: StatusView, title: string, main: Markup): string {
  const { name } = view.page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${name}</title>
<link rel="icon" href="/status/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="${name}: incidents and maintenance (Atom)" href="/status/history.atom">
<link rel="alternate" type="application/rss+xml" title="${name}: incidents and maintenance (RSS)" href="/status/history.rss">
<style>${trustedMarkup(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header><a href="/status">${name}</a> <nav aria-label="Pages"><a href="/status/history">History</a> <a href="/">Ledger Mirror</a></nav></header>
<main id="main">
${main}
</main>
<footer>
<ul><li><a href="/status/history.atom">Atom</a></li> <li><a href="/status/history.rss">RSS</a></li> <li><a href="/status/maintenance.ics">Maintenance calendar</a></li> <li><a href="/api/v2/summary.json">JSON</a></li> <li><a href="/status/badge.svg">Badge</a></li> <li><a href="/status?refresh=60">Reload every minute</a></li></ul>
<p>Times are in ${view.times.zone}, days in UTC.</p>
</footer>
</body>
</html>
`.markup;
}

/** `none`: the sentence for an empty list. */
export function formatList(entries: readonly Markup[], none: string): Markup {
  return entries.length > 0 ? html`<ul class="card">${joinMarkup(entries, '\n')}</ul>` : html`<p>${none}</p>`;
}
