// Incidents and maintenances as RSS 2.0.
import { escapeMarkup } from '../../../kit/escape-markup.ts';
import { type FeedEntry, findFeedTime, toFeedEntries } from './feed-entries.ts';
import type { StatusView } from './status-view.ts';

export function formatRssFeed(view: StatusView): string {
  const entries = toFeedEntries(view);
  const url = escapeMarkup(view.page.url);
  const name = escapeMarkup(view.page.name);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${name}: incidents and maintenance</title>
<link>${url}</link>
<description>What has happened and what is planned at ${name}</description>
<language>en</language>
<lastBuildDate>${new Date(findFeedTime(view, entries)).toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${url}/history.rss"/>
${entries.map(formatItem).join('\n')}
</channel>
</rss>
`;
}

function formatItem({ id, title, link, updatedAt, category, html }: FeedEntry): string {
  return `<item>
<title>${escapeMarkup(title)}</title>
<link>${escapeMarkup(link)}</link>
<guid isPermaLink="false">${escapeMarkup(id)}</guid>
<pubDate>${new Date(updatedAt).toUTCString()}</pubDate>
<category>${escapeMarkup(category)}</category>
<description>${escapeMarkup(html)}</description>
</item>`;
}
