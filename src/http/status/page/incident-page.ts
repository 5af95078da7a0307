// The page of one incident or maintenance, where its `shortlink` leads.

import { escapeMarkup } from '../../../kit/escape-markup.ts';
import type { IncidentRecord } from '../../../status/status-state.ts';
import { formatImpact, formatIncidentStory } from './incident-story.ts';
import { formatPage } from './page-frame.ts';
import { formatDuration } from './page-times.ts';
import { formatProgress, impactWords } from './state-words.ts';
import type { StatusView } from './status-view.ts';

export function formatIncidentPage(view: StatusView, incident: IncidentRecord): string {
  const { times } = view;
  const { name, kind, impact, startedAt, resolvedAt } = incident;
  const facts = [formatImpact(incident), formatProgress(incident)];
  if (kind === 'incident') facts.push(`began ${times.moment(startedAt)}`);
  if (resolvedAt !== null) {
    facts.push(`ended ${times.moment(resolvedAt)}`);
    if (!incident.isCancelled) facts.push(`lasted ${formatDuration((resolvedAt - startedAt) / 1000)}`);
  }
  return formatPage(view, {
    title: `${name} – ${view.page.name}`,
    main: `<h1>${escapeMarkup(name)}</h1>
<p>${facts.join(' · ')}</p>
<div class="card incident ${impactWords[impact].className}">${formatIncidentStory(incident, view, times)}</div>`,
  });
}
