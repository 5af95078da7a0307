// Incidents and maintenances as feeds, newest change first: Atom 1.0 (RFC 4287) and RSS 2.0.
import { formatParagraphs } from '../../../kit/format-paragraphs.ts';
import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import { incidentsShown } from '../../shown.ts';
import type { IncidentRecord } from '../../status-state.ts';
import { formatChanges, formatPlan } from './incident-story.ts';
import { formatProgress } from './state-words.ts';
import { incidentLink, type StatusView } from './status-view.ts';

export function formatAtomFeed(view: StatusView): string {
  const { url, name, id } = view.page;
  const entries = listNewest(view);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>tag:ledger-mirror,2026:${id}</id>
<title>${name}: incidents and maintenance</title>
<updated>${new Date(findFeedTime(view, entries)).toISOString()}</updated>
<author><name>${name}</name></author>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="self" type="application/atom+xml" href="${url}/history.atom"/>
${joinMarkup(
  entries.map(
    (each) => html`<entry>
<id>${idOf(view, each)}</id>
<title>${titleOf(each)}</title>
<link rel="alternate" type="text/html" href="${incidentLink(view, each)}"/>
<published>${new Date(each.createdAt).toISOString()}</published>
<updated>${new Date(each.updatedAt).toISOString()}</updated>
<category term="${each.impact}"/>
<content type="html">${formatContent(view, each).markup}</content>
</entry>`,
  ),
  '\n',
)}
</feed>
`.markup;
}

export function formatRssFeed(view: StatusView): string {
  const { url, name } = view.page;
  const entries = listNewest(view);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${name}: incidents and maintenance</title>
<link>${url}</link>
<description>What has happened and what is planned at ${name}</description>
<language>en</language>
<lastBuildDate>${new Date(findFeedTime(view, entries)).toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${url}/history.rss"/>
${joinMarkup(
  entries.map(
    (each) => html`<item>
<title>${titleOf(each)}</title>
<link>${incidentLink(view, each)}</link>
<guid isPermaLink="false">${idOf(view, each)}</guid>
<pubDate>${new Date(each.updatedAt).toUTCString()}</pubDate>
<category>${each.impact}</category>
<description>${formatContent(view, each).markup}</description>
</item>`,
  ),
  '\n',
)}
</channel>
</rss>
`.markup;
}

/** As many as the JSON endpoints list. */
function listNewest({ incidents, maintenances }: StatusView): IncidentRecord[] {
  return [...incidents, ...maintenances].toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, incidentsShown);
}

/** When anything in the feed changed last. Constant while nothing changes, so that readers need not load it again. */
function findFeedTime({ page }: StatusView, entries: readonly IncidentRecord[]): number {
  return entries[0]?.updatedAt ?? page.createdAt;
}

/** Permanent, even if the site's address changes (RFC 4151). */
function idOf({ page }: StatusView, { id }: IncidentRecord): string {
  return `tag:ledger-mirror,2026:${page.id}/${id}`;
}

function titleOf(incident: IncidentRecord): string {
  return `${incident.name} (${formatProgress(incident).toLowerCase()})`;
}

function formatContent({ times }: StatusView, incident: IncidentRecord): Markup {
  const story = incident.updates.map((update) => {
    const changes = formatChanges(update).map((change) => html`<p>${change}</p>`);
    const heading = html`<p><strong>${formatProgress({ ...incident, status: update.status })}</strong> – ${times.moment(update.displayAt)}</p>`;
    return html`${heading}${formatParagraphs(update.body)}${changes}`;
  });
  return html`${formatPlan(incident, times)}${story}`;
}
