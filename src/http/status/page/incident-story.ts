// One incident or maintenance as a piece of a page: its name, what it touched, and its updates with the newest first.

import { escapeMarkup, formatParagraphs } from '../../../kit/escape-markup.ts';
import type { AffectedComponent, IncidentRecord, IncidentUpdate } from '../../../status/status-state.ts';
import type { PageTimes } from './page-times.ts';
import { dayWords, formatProgress, impactWords } from './state-words.ts';
import type { StatusView } from './status-view.ts';

/** A card for pages that show several; `updates` bounds how much of the story is told, newest first. */
export function formatIncidentCard(
  incident: IncidentRecord,
  view: StatusView,
  times: PageTimes,
  updates: number,
): string {
  const path = incidentPath(incident);
  const older = incident.updates.length - updates;
  const rest =
    older > 0
      ? `<p><a href="${path}">${older} earlier ${older === 1 ? 'update' : 'updates'}<span class="away"> of ${escapeMarkup(incident.name)}</span></a></p>`
      : '';
  return `<article class="card incident ${impactWords[incident.impact].className}">
<div class="head"><h3><a href="${path}">${escapeMarkup(incident.name)}</a></h3>${formatImpact(incident)}</div>
${formatIncidentStory({ ...incident, updates: incident.updates.slice(0, updates) }, view, times)}${rest}
</article>`;
}

/** What it touched and what was said, without its name. */
export function formatIncidentStory(incident: IncidentRecord, { components }: StatusView, times: PageTimes): string {
  const names = components.filter(({ id }) => incident.componentIds.includes(id)).map(({ name }) => escapeMarkup(name));
  return `${formatPlan(incident, times)}${names.length > 0 ? `<p class="faint">Affects ${names.join(', ')}</p>` : ''}
${incident.heldBy === null || isOver(incident) ? '' : '<p class="faint"><strong>Kept by an operator</strong>: only people change it until it is released.</p>'}<ol class="story">${incident.updates.map((update) => formatUpdate(incident, update, times)).join('\n')}</ol>`;
}

export function formatPlan({ scheduledFor, scheduledUntil }: IncidentRecord, times: PageTimes): string {
  if (scheduledFor === null || scheduledUntil === null) return '';
  return `<p>Planned from ${times.moment(scheduledFor)} to ${times.moment(scheduledUntil)}</p>`;
}

export function formatImpact({ impact }: IncidentRecord): string {
  const { sign, className, label } = impactWords[impact];
  return `<span class="state ${className}"><span aria-hidden="true">${sign}</span> ${label}</span>`;
}

/** e.g. "Database: operational → major outage", of the components that changed with an update. */
export function formatChanges({ affectedComponents }: IncidentUpdate): string[] {
  return (affectedComponents ?? []).filter(({ oldStatus, newStatus }) => oldStatus !== newStatus).map(formatChange);
}

function isOver({ resolvedAt }: IncidentRecord): boolean {
  return resolvedAt !== null;
}

/** Within this site; `shortlink` says the same for those who come from elsewhere. */
export function incidentPath({ id }: IncidentRecord): string {
  return `/status/incidents/${encodeURIComponent(id)}`;
}

function formatChange({ name, oldStatus, newStatus }: AffectedComponent): string {
  const [before, after] = [oldStatus, newStatus].map((status) => dayWords[status].label.toLowerCase());
  return escapeMarkup(`${name}: ${before} → ${after}`);
}

function formatUpdate(incident: IncidentRecord, update: IncidentUpdate, times: PageTimes): string {
  const changes = formatChanges(update).map((change) => `<p class="faint">${change}</p>`);
  return `<li><strong>${formatProgress({ ...incident, status: update.status })}</strong> <span class="faint">${times.moment(update.displayAt)}</span>${formatParagraphs(update.body)}${changes.join('')}</li>`;
}
