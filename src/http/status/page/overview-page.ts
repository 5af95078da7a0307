// The page at `/status`: how everything is now, what is being done about it, what is planned, and how it has been.

import { escapeMarkup } from '../../../kit/escape-markup.ts';
import type { ComponentRecord, IncidentRecord } from '../../../status/status-state.ts';
import { formatIncidentCard } from './incident-story.ts';
import { formatCharts } from './line-chart.ts';
import { formatPage } from './page-frame.ts';
import { formatDuration, type PageTimes } from './page-times.ts';
import { dayWords, impactWords } from './state-words.ts';
import { findStart, isOpen, type StatusView } from './status-view.ts';
import { describeDay, formatLegend, formatUptime, formatUptimeBars } from './uptime-bars.ts';
import { calculateUptime, isEventful, type UptimeDay } from './uptime-days.ts';

/** Signals come in every few seconds; older than this, nobody knows how things are. */
const staleAfterMs = 120_000;
/** What is shown of longer lists, so that the page stays small; the rest has pages of its own. */
const updatesShown = 5;
const pastShown = 5;
const eventfulDaysShown = 7;

export function formatOverviewPage(view: StatusView): string {
  const { times } = view;
  return formatPage(view, {
    title: `${view.overall.description} – ${view.page.name}`,
    main: [
      formatOverall(view, times),
      formatOpen(view, times),
      formatComponents(view),
      formatCharts(view.points, times),
      formatPast(view, times),
    ].join('\n'),
  });
}

/** A component's status in words, with its sign. */
export function formatState({ status, unknown }: ComponentRecord): string {
  const { sign, label, className } = dayWords[status];
  const words = unknown ? `${label}: no fresh data` : label;
  return `<span class="state ${className}"><span aria-hidden="true">${sign}</span> ${words}</span>`;
}

/** Description, whether a person has set what is shown and, where something is wrong, what was measured. */
export function formatRemarks({ description, reason, override, measured }: ComponentRecord, times: PageTimes): string {
  const held = override
    ? `<p class="faint"><strong>Set by an operator</strong> since ${times.moment(override.at)}; measured: ${dayWords[measured].label.toLowerCase()}</p>`
    : '';
  return (
    held + [description, reason].map((text) => (text ? `<p class="faint">${escapeMarkup(text)}</p>` : '')).join('')
  );
}

/** The bars with their ends named. */
export function formatBars(name: string, days: readonly UptimeDay[]): string {
  return `${formatUptimeBars(name, days)}<div class="axis"><span>${days.length} days</span><span>${formatUptime(calculateUptime(days))}</span><span>today</span></div>`;
}

function formatOverall({ overall, asOf, now, writeProblem }: StatusView, times: PageTimes): string {
  const { sign, className } = impactWords[overall.indicator];
  return `<div class="overall ${className}"><span class="sign" aria-hidden="true">${sign}</span><h1>${escapeMarkup(overall.description)}</h1></div>
<p class="faint">${formatAge(asOf, now, times)}</p>${formatWriteProblem(writeProblem)}`;
}

function formatWriteProblem(problem: string | null): string {
  return problem === null
    ? ''
    : `<p><strong>The status service cannot write to its disk (${escapeMarkup(problem)}).</strong> It answers from memory: what is shown is current, but new entries would be lost if it ended now.</p>`;
}

function formatAge(asOf: number | null, now: number, times: PageTimes): string {
  if (asOf === null) return 'Not every signal has come in yet; what is missing counts as degraded.';
  const age = now - asOf;
  const stale = `<strong>Some signals have not come in for ${formatDuration(age / 1000)}; what is missing counts as degraded.</strong>`;
  return `As of ${times.moment(asOf)}.${age > staleAfterMs ? ` ${stale}` : ''}`;
}

function formatOpen(view: StatusView, times: PageTimes): string {
  const open = view.incidents.filter(isOpen);
  const planned = view.maintenances.filter(isOpen).toSorted((a, b) => findStart(a) - findStart(b));
  return formatCards('Open incidents', open, view, times) + formatCards('Maintenance', planned, view, times);
}

function formatCards(title: string, incidents: IncidentRecord[], view: StatusView, times: PageTimes): string {
  if (incidents.length === 0) return '';
  const cards = incidents.map((each) => formatIncidentCard(each, view, times, updatesShown));
  return `<section><h2>${title}</h2>\n${cards.join('\n')}</section>`;
}

function formatComponents(view: StatusView): string {
  const groups = view.components.filter(({ group }) => group);
  const alone = view.components.filter(({ group, groupId }) => !group && !groups.some(({ id }) => id === groupId));
  const parts = groups.map((group) => formatGroup(group, view));
  if (alone.length > 0) {
    parts.push(`<ul class="card">${alone.map((each) => formatComponent(each, view, 'h3')).join('\n')}</ul>`);
  }
  return `<section><h2>Components</h2>
${parts.join('\n')}
${formatLegend()}</section>`;
}

function formatGroup(group: ComponentRecord, view: StatusView): string {
  const members = view.components.filter(({ groupId }) => groupId === group.id);
  return `<div class="card group"><h3><span>${escapeMarkup(group.name)}</span>${formatState(group)}</h3>
<ul class="parts">${members.map((each) => formatComponent(each, view, 'h4')).join('\n')}</ul></div>`;
}

function formatComponent(component: ComponentRecord, view: StatusView, heading: 'h3' | 'h4'): string {
  const { id, name } = component;
  const days = view.uptimeDays.get(id) ?? [];
  const path = `/status/components/${encodeURIComponent(id)}`;
  return `<li><div class="head"><${heading}><a href="${path}">${escapeMarkup(name)}</a></${heading}>${formatState(component)}</div>
${formatRemarks(component, view.times)}${formatBars(name, days)}${formatEventfulDays(name, days)}</li>`;
}

function formatEventfulDays(name: string, days: readonly UptimeDay[]): string {
  const eventful = days.filter(isEventful);
  if (eventful.length === 0) return '';
  const shown = eventful.slice(-eventfulDaysShown).toReversed();
  const count = eventful.length === 1 ? 'One day' : `${eventful.length} days`;
  const older = eventful.length > shown.length ? '<li>Older ones are on the component’s page</li>' : '';
  return `<details><summary>${count} with an entry<span class="away"> of ${escapeMarkup(name)}</span></summary><ul>${shown.map((day) => `<li>${escapeMarkup(describeDay(day))}</li>`).join('')}${older}</ul></details>`;
}

function formatPast(view: StatusView, times: PageTimes): string {
  const past = [...view.incidents, ...view.maintenances]
    .filter((each) => !isOpen(each))
    .toSorted((a, b) => findStart(b) - findStart(a))
    .slice(0, pastShown);
  const cards = past.map((each) => formatIncidentCard(each, view, times, 1));
  return `<section><h2>Past incidents</h2>
${cards.length > 0 ? cards.join('\n') : '<p>None is recorded.</p>'}
<p><a href="/status/history">The whole history</a></p></section>`;
}
