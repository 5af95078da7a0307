// The page at `/status`: the current state, open incidents, planned maintenance, and the past.
import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import type { ComponentRecord, IncidentRecord } from '../../status-state.ts';
import { formatIncidentCard } from './incident-story.ts';
import { formatCharts } from './line-chart.ts';
import { formatPage } from './page-frame.ts';
import { formatDuration, type PageTimes } from './page-times.ts';
import { dayWords, formatSign, impactWords } from './state-words.ts';
import { findStart, isOpen, type StatusView } from './status-view.ts';
import { describeDay, formatLegend, formatUptime, formatUptimeBars } from './uptime-bars.ts';
import { calculateUptime, isEventful, type UptimeDay } from './uptime-days.ts';

/** Signals come in every few seconds; older ones say nothing about the current state. */
const staleAfterMs = 120_000;
/** Of longer lists, so that the page stays small; the rest is on other pages. */
const updatesShown = 5;
const pastShown = 5;
const eventfulDaysShown = 7;

export function formatOverviewPage(view: StatusView): string {
  const parts = [formatOverall, formatOpen, formatComponents, formatCharts, formatPast];
  const main = joinMarkup(
    parts.map((format) => format(view)),
    '\n',
  );
  return formatPage(view, view.overall.description, main);
}

/** A component's status in words, with its sign. */
export function formatState({ status, unknown }: ComponentRecord): Markup {
  const words = dayWords[status];
  return formatSign(unknown ? { ...words, label: `${words.label}: no fresh data` } : words);
}

/** Description, whether an operator set the status and, if something is wrong, the measured status. */
export function formatRemarks({ description, reason, override, measured }: ComponentRecord, times: PageTimes): Markup {
  const held = override
    ? html`<p class="faint"><strong>Set by an operator</strong> since ${times.moment(override.at)}; measured: ${dayWords[measured].label.toLowerCase()}</p>\n`
    : null;
  return html`${held}${[description, reason].map((text) => (text ? html`<p class="faint">${text}</p>\n` : null))}`;
}

/** The bars with labelled ends. */
export function formatBars(name: string, days: readonly UptimeDay[]): Markup {
  return html`${formatUptimeBars(name, days)}<div class="axis"><span>${days.length - 1} days ago</span> <span>${formatUptime(calculateUptime(days))}</span> <span>today</span></div>\n`;
}

function formatOverall({ overall, asOf, now, writeProblem, times }: StatusView): Markup {
  const { sign, className } = impactWords[overall.indicator];
  return html`<div class="overall ${className}"><span class="sign" aria-hidden="true">${sign}</span> <h1>${overall.description}</h1></div>
<p class="faint">${formatAge(asOf, now, times)}</p>${formatWriteProblem(writeProblem)}`;
}

function formatWriteProblem(problem: string | null): Markup | null {
  return problem === null
    ? null
    : html`<p><strong>The status service cannot write to its disk (${problem}).</strong> It answers from memory: what is shown is current, but new entries would be lost if it ended now.</p>`;
}

function formatAge(asOf: number | null, now: number, times: PageTimes): Markup {
  if (asOf === null) return html`Not every signal has come in yet; what is missing counts as degraded.`;
  const age = now - asOf;
  const stale = html` <strong>Some signals have not come in for ${formatDuration(age / 1000)}; what is missing counts as degraded.</strong>`;
  return html`As of ${times.moment(asOf)}.${age > staleAfterMs ? stale : null}`;
}

function formatOpen(view: StatusView): Markup {
  const open = view.incidents.filter(isOpen);
  const planned = view.maintenances.filter(isOpen).toSorted((a, b) => findStart(a) - findStart(b));
  return html`${formatCards('Open incidents', open, view)}${formatCards('Maintenance', planned, view)}`;
}

function formatCards(title: string, incidents: IncidentRecord[], view: StatusView): Markup | null {
  if (incidents.length === 0) return null;
  const cards = incidents.map((each) => formatIncidentCard(each, view, updatesShown));
  return html`<section><h2>${title}</h2>\n${joinMarkup(cards, '\n')}</section>`;
}

function formatComponents(view: StatusView): Markup {
  const groups = view.components.filter(({ group }) => group);
  const alone = view.components.filter(({ group, groupId }) => !group && !groups.some(({ id }) => id === groupId));
  const parts = groups.map((group) => formatGroup(group, view));
  if (alone.length > 0) {
    const items = alone.map((each) => formatComponent(each, view, 'h3'));
    parts.push(html`<ul class="card">${joinMarkup(items, '\n')}</ul>`);
  }
  return html`<section><h2>Components</h2>
${joinMarkup(parts, '\n')}
${formatLegend()}</section>`;
}

function formatGroup(group: ComponentRecord, view: StatusView): Markup {
  const members = view.components.filter(({ groupId }) => groupId === group.id);
  const items = members.map((each) => formatComponent(each, view, 'h4'));
  return html`<div class="card group"><h3><span>${group.name}</span> ${formatState(group)}</h3>
<ul class="parts">${joinMarkup(items, '\n')}</ul></div>`;
}

function formatComponent(component: ComponentRecord, view: StatusView, heading: 'h3' | 'h4'): Markup {
  const { id, name } = component;
  const days = view.uptimeDays.get(id) ?? [];
  const path = `/status/components/${encodeURIComponent(id)}`;
  return html`<li><div class="head"><${heading}><a href="${path}">${name}</a></${heading}> ${formatState(component)}</div>
${formatRemarks(component, view.times)}${formatBars(name, days)}${formatEventfulDays(name, days)}</li>`;
}

function formatEventfulDays(name: string, days: readonly UptimeDay[]): Markup | null {
  const eventful = days.filter(isEventful);
  if (eventful.length === 0) return null;
  const shown = eventful.slice(-eventfulDaysShown).toReversed();
  const count = eventful.length === 1 ? 'One day' : `${eventful.length} days`;
  const older = eventful.length > shown.length ? html`<li>Older ones are on the component’s page</li>` : null;
  return html`<details><summary>${count} with an entry<span class="away"> of ${name}</span></summary>\n<ul>${shown.map((day) => html`<li>${describeDay(day)}</li>\n`)}${older}</ul></details>`;
}

function formatPast(view: StatusView): Markup {
  const past = view.history.filter((each) => !isOpen(each)).slice(0, pastShown);
  const cards = past.map((each) => formatIncidentCard(each, view, 1));
  return html`<section><h2>Past incidents</h2>
${cards.length > 0 ? joinMarkup(cards, '\n') : html`<p>None is recorded.</p>`}
<p><a href="/status/history">The whole history</a></p></section>`;
}
