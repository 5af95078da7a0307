// Incidents and maintenances as Atom 1.0 (RFC 4287).
import { escapeMarkup } from '../../../kit/escape-markup.ts';
import { type FeedEntry, findFeedTime, toFeedEntries } from './feed-entries.ts';
import type { StatusView } from './status-view.ts';

export function formatAtomFeed(view: StatusView): string {
  const entries = toFeedEntries(view);
  const url = escapeMarkup(view.page.url);
  const name = escapeMarkup(view.page.name);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>tag:ledger-mirror,2026:${escapeMarkup(view.page.id)}</id>
<title>${name}: incidents and maintenance</title>
<updated>${new Date(findFeedTime(view, entries)).toISOString()}</updated>
<author><name>${name}</name></author>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="self" type="application/atom+xml" href="${url}/history.atom"/>
${entries.map(formatEntry).join('\n')}
</feed>
`;
}

function formatEntry({ id, title, link, publishedAt, updatedAt, category, html }: FeedEntry): string {
  return `<entry>
<id>${escapeMarkup(id)}</id>
<title>${escapeMarkup(title)}</title>
<link rel="alternate" type="text/html" href="${escapeMarkup(link)}"/>
<published>${new Date(publishedAt).toISOString()}</published>
<updated>${new Date(updatedAt).toISOString()}</updated>
<category term="${escapeMarkup(category)}"/>
<content type="html">${escapeMarkup(html)}</content>
</entry>`;
}
