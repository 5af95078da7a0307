// The page of one component: its days as bars and text, and the incidents and maintenances that affected it.
import { html, type Markup } from '../../../kit/markup.ts';
import type { ComponentRecord, IncidentRecord } from '../../status-state.ts';
import { formatImpact, incidentPath } from './incident-story.ts';
import { formatBars, formatRemarks, formatState } from './overview-page.ts';
import { formatList, formatPage } from './page-frame.ts';
import type { PageTimes } from './page-times.ts';
import { formatProgress } from './state-words.ts';
import { findStart, type StatusView } from './status-view.ts';
import { describeDay, formatLegend } from './uptime-bars.ts';
import { isEventful, type UptimeDay } from './uptime-days.ts';

export function formatComponentPage(view: StatusView, component: ComponentRecord): string {
  const { id, name } = component;
  const days = view.uptimeDays.get(id);
  const entries = view.history
    .filter(({ componentIds }) => componentIds.includes(id))
    .map((each) => formatEntry(each, view.times));
  const main = html`<h1>${name}</h1>
<p>${formatState(component)}</p>
${formatRemarks(component, view.times)}
${days ? [formatBars(name, days), formatLegend(), formatDays(days)] : null}
<h2>Incidents and maintenance</h2>
${formatList(entries, 'None is recorded.')}
<p><img src="/status/badge/${encodeURIComponent(id)}.svg" alt="Badge of ${name}"></p>`;
  return formatPage(view, name, main);
}

function formatDays(days: readonly UptimeDay[]): Markup {
  const lines = days
    .filter(isEventful)
    .toReversed()
    .map((day) => html`<li>${describeDay(day)}</li>\n`);
  return html`<h2>Days with an entry (UTC)</h2>
${lines.length > 0 ? html`<ul>${lines}</ul>` : html`<p>None in this time.</p>`}`;
}

function formatEntry(incident: IncidentRecord, times: PageTimes): Markup {
  return html`<li><div class="head"><a href="${incidentPath(incident)}">${incident.name}</a> ${formatImpact(incident)}</div>
<p class="faint">${times.moment(findStart(incident))} · ${formatProgress(incident)}</p></li>`;
}
