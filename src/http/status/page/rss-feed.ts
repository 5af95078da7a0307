// Incidents and maintenances as RSS 2.0.
import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import { type FeedEntry, findFeedTime, toFeedEntries } from './feed-entries.ts';
import type { StatusView } from './status-view.ts';

export function formatRssFeed(view: StatusView): string {
  const entries = toFeedEntries(view);
  const { url, name } = view.page;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${name}: incidents and maintenance</title>
<link>${url}</link>
<description>What has happened and what is planned at ${name}</description>
<language>en</language>
<lastBuildDate>${new Date(findFeedTime(view, entries)).toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${url}/history.rss"/>
${joinMarkup(entries.map(formatItem), '\n')}
</channel>
</rss>
`.markup;
}

function formatItem({ id, title, link, updatedAt, category, content }: FeedEntry): Markup {
  return html`<item>
<title>${title}</title>
<link>${link}</link>
<guid isPermaLink="false">${id}</guid>
<pubDate>${new Date(updatedAt).toUTCString()}</pubDate>
<category>${category}</category>
<description>${content}</description>
</item>`;
}
