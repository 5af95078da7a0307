// Incidents and maintenances as Atom 1.0 (RFC 4287).
import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import { type FeedEntry, findFeedTime, toFeedEntries } from './feed-entries.ts';
import type { StatusView } from './status-view.ts';

export function formatAtomFeed(view: StatusView): string {
  const entries = toFeedEntries(view);
  const { url, name } = view.page;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>tag:ledger-mirror,2026:${view.page.id}</id>
<title>${name}: incidents and maintenance</title>
<updated>${new Date(findFeedTime(view, entries)).toISOString()}</updated>
<author><name>${name}</name></author>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="self" type="application/atom+xml" href="${url}/history.atom"/>
${joinMarkup(entries.map(formatEntry), '\n')}
</feed>
`.markup;
}

function formatEntry({ id, title, link, publishedAt, updatedAt, category, content }: FeedEntry): Markup {
  return html`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${link}"/>
<published>${new Date(publishedAt).toISOString()}</published>
<updated>${new Date(updatedAt).toISOString()}</updated>
<category term="${category}"/>
<content type="html">${content}</content>
</entry>`;
}
