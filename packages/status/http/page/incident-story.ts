// One incident or maintenance as a part of a page: its name, affected components, and its updates, newest first.
import { formatParagraphs } from '../../../kit/format-paragraphs.ts';
import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import type { IncidentRecord, IncidentUpdate } from '../../status-state.ts';
import type { PageTimes } from './page-times.ts';
import { dayWords, formatProgress, formatSign, impactWords } from './state-words.ts';
import { listNames, type StatusView } from './status-view.ts';

/** A card for pages that show several, with the newest `updates`. */
export function formatIncidentCard(incident: IncidentRecord, view: StatusView, updates: number): Markup {
  const path = incidentPath(incident);
  const older = incident.updates.length - updates;
  const rest =
    older > 0
      ? html`<p><a href="${path}">${older} earlier ${older === 1 ? 'update' : 'updates'}<span class="away"> of ${incident.name}</span></a></p>`
      : null;
  return html`<article class="card incident ${impactWords[incident.impact].className}">
<div class="head"><h3><a href="${path}">${incident.name}</a></h3> ${formatImpact(incident)}</div>
${formatIncidentStory({ ...incident, updates: incident.updates.slice(0, updates) }, view)}${rest}
</article>`;
}

/** What it affected and its updates, without its name. */
export function formatIncidentStory(incident: IncidentRecord, view: StatusView): Markup {
  const names = listNames(view, incident);
  const updates = incident.updates.map((update) => formatUpdate(incident, update, view.times));
  const isHeld = incident.heldBy !== null && incident.resolvedAt === null;
  return html`${formatPlan(incident, view.times)}${names.length > 0 ? html`<p class="faint">Affects ${names.join(', ')}</p>` : null}
${isHeld ? keptByOperator : null}<ol class="story">${joinMarkup(updates, '\n')}</ol>`;
}

const keptByOperator = html`<p class="faint"><strong>Kept by an operator</strong>: only people change it until it is released.</p>`;

export function formatPlan({ scheduledFor, scheduledUntil }: IncidentRecord, times: PageTimes): Markup | null {
  if (scheduledFor === null || scheduledUntil === null) return null;
  return html`<p>Planned from ${times.moment(scheduledFor)} to ${times.moment(scheduledUntil)}</p>`;
}

export function formatImpact({ impact }: IncidentRecord): Markup {
  return formatSign(impactWords[impact]);
}

/** e.g. "Database: operational → major outage", of the components that changed with an update. */
export function formatChanges({ affectedComponents }: IncidentUpdate): string[] {
  const word = (status: keyof typeof dayWords): string => dayWords[status].label.toLowerCase();
  return (affectedComponents ?? [])
    .filter(({ oldStatus, newStatus }) => oldStatus !== newStatus)
    .map(({ name, oldStatus, newStatus }) => `${name}: ${word(oldStatus)} → ${word(newStatus)}`);
}

/** Within this site; `shortlink` is the same with the host. */
export function incidentPath({ id }: IncidentRecord): string {
  return `/status/incidents/${encodeURIComponent(id)}`;
}

function formatUpdate(incident: IncidentRecord, update: IncidentUpdate, times: PageTimes): Markup {
  const changes = formatChanges(update).map((change) => html`\n<p class="faint">${change}</p>`);
  return html`<li><strong>${formatProgress({ ...incident, status: update.status })}</strong> <span class="faint">${times.moment(update.displayAt)}</span>\n${formatParagraphs(update.body)}${changes}</li>`;
}
