// The pages at `/status/history`: one month each, in the page's time zone, with links to the nearest months with
// entries.
import { html, type Markup } from '../../../kit/markup.ts';
import type { IncidentRecord } from '../../status-state.ts';
import { formatImpact, incidentPath } from './incident-story.ts';
import { formatList, formatPage } from './page-frame.ts';
import type { PageTimes } from './page-times.ts';
import { formatProgress } from './state-words.ts';
import { findStart, type StatusView } from './status-view.ts';

/** `month` is "2026-11"; without it the current one. null if the text is no month. */
export function formatHistoryPage(view: StatusView, month?: string): string | null {
  if (month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return null;
  const { times, history } = view;
  const monthOf = (incident: IncidentRecord): string => times.monthKey(findStart(incident));
  const current = times.monthKey(view.now);
  const months = [...new Set([current, ...history.map(monthOf)])].sort();
  const shown = month ?? current;
  const entries = history.filter((each) => monthOf(each) === shown).map((each) => formatEntry(each, times));
  const older = months.findLast((each) => each < shown);
  const newer = months.find((each) => each > shown);
  const name = times.monthName(shown);
  const main = html`<h1>History: ${name}</h1>
${formatList(entries, 'Nothing is recorded in this month.')}
${older || newer ? html`<nav aria-label="Months"><ul class="axis">${formatMonthLink(older, 'Earlier', times)} ${formatMonthLink(newer, 'Later', times)}</ul></nav>` : null}`;
  return formatPage(view, `History, ${name}`, main);
}

function formatMonthLink(month: string | undefined, word: string, times: PageTimes): Markup {
  if (month === undefined) return html`<li></li>`;
  return html`<li><a href="/status/history/${month}">${word}: ${times.monthName(month)}</a></li>`;
}

function formatEntry(incident: IncidentRecord, times: PageTimes): Markup {
  const { name, resolvedAt, updates } = incident;
  const until = resolvedAt === null ? null : html` to ${times.moment(resolvedAt)}`;
  return html`<li><div class="head"><h2 class="entry"><a href="${incidentPath(incident)}">${name}</a></h2> ${formatImpact(incident)}</div>
<p class="faint">${times.moment(findStart(incident))}${until} · ${formatProgress(incident)}</p>
<p>${shorten(updates[0]?.body ?? '')}</p></li>`;
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > 240 ? `${characters.slice(0, 239).join('')}…` : text;
}
