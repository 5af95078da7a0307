// The page of one component: its days in bars and in words, and the incidents and maintenances that touched it.

import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import type { ComponentRecord, IncidentRecord } from '../../../status/status-state.ts';
import { formatImpact, incidentPath } from './incident-story.ts';
import { formatBars, formatRemarks, formatState } from './overview-page.ts';
import { formatPage } from './page-frame.ts';
import type { PageTimes } from './page-times.ts';
import { formatProgress } from './state-words.ts';
import { findStart, type StatusView } from './status-view.ts';
import { describeDay, formatLegend } from './uptime-bars.ts';
import { isEventful, type UptimeDay } from './uptime-days.ts';

export function formatComponentPage(view: StatusView, component: ComponentRecord): string {
  const { times } = view;
  const { id, name } = component;
  const days = view.uptimeDays.get(id);
  const touched = [...view.incidents, ...view.maintenances]
    .filter(({ componentIds }) => componentIds.includes(id))
    .toSorted((a, b) => findStart(b) - findStart(a));
  return formatPage(view, {
    title: `${name} – ${view.page.name}`,
    main: html`<h1>${name}</h1>
<p>${formatState(component)}</p>
${formatRemarks(component, times)}
${days ? [formatBars(name, days), formatLegend(), formatDays(days)] : null}
<h2>Incidents and maintenance</h2>
${
  touched.length > 0
    ? html`<ul class="card">${joinMarkup(
        touched.map((each) => formatEntry(each, times)),
        '\n',
      )}</ul>`
    : html`<p>None is recorded.</p>`
}
<p><img src="/status/badge/${encodeURIComponent(id)}.svg" alt="Badge of ${name}"></p>`,
  });
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
