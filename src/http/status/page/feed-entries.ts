// Incidents and maintenances as entries of a feed, newest change first, whatever the feed's format.

import { formatParagraphs } from '../../../kit/format-paragraphs.ts';
import { html } from '../../../kit/markup.ts';
import type { IncidentRecord } from '../../../status/status-state.ts';
import { formatChanges, formatPlan } from './incident-story.ts';
import { formatProgress } from './state-words.ts';
import type { StatusView } from './status-view.ts';

export type FeedEntry = {
  /** The same for ever, whatever the site's address becomes (RFC 4151). */
  id: string;
  title: string;
  link: string;
  publishedAt: number;
  updatedAt: number;
  category: string;
  /** HTML */
  content: string;
};

/** As many as the JSON endpoints list. */
const maxEntries = 50;

export function toFeedEntries(view: StatusView): FeedEntry[] {
  const { times } = view;
  return [...view.incidents, ...view.maintenances]
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, maxEntries)
    .map(toEntry);

  function toEntry(incident: IncidentRecord): FeedEntry {
    const { id, name, impact, createdAt, updatedAt, updates } = incident;
    const story = updates.map((update) => {
      const changes = formatChanges(update).map((change) => html`<p>${change}</p>`);
      const heading = html`<p><strong>${formatProgress({ ...incident, status: update.status })}</strong> – ${times.moment(update.displayAt)}</p>`;
      return html`${heading}${formatParagraphs(update.body)}${changes}`;
    });
    return {
      id: `tag:ledger-mirror,2026:${view.page.id}/${id}`,
      title: `${name} (${formatProgress(incident).toLowerCase()})`,
      link: `${view.page.url}/incidents/${encodeURIComponent(id)}`,
      publishedAt: createdAt,
      updatedAt,
      category: impact,
      content: html`${formatPlan(incident, times)}${story}`.markup,
    };
  }
}

/** When anything in the feed changed last. It stands still while nothing happens, so that readers need not load it again. */
export function findFeedTime({ page }: StatusView, entries: readonly FeedEntry[]): number {
  return entries[0]?.updatedAt ?? page.createdAt;
}
