// The page of one incident or maintenance, to which its `shortlink` leads.
import { html, joinMarkup, type Markup } from '../../../kit/markup.ts';
import type { IncidentRecord } from '../../status-state.ts';
import { formatImpact, formatIncidentStory } from './incident-story.ts';
import { formatPage } from './page-frame.ts';
import { formatDuration } from './page-times.ts';
import { formatProgress, impactWords } from './state-words.ts';
import type { StatusView } from './status-view.ts';

export function formatIncidentPage(view: StatusView, incident: IncidentRecord): string {
  const { times } = view;
  const { name, kind, impact, startedAt, resolvedAt } = incident;
  const facts: (Markup | string)[] = [formatImpact(incident), formatProgress(incident)];
  if (kind === 'incident') facts.push(html`began ${times.moment(startedAt)}`);
  if (resolvedAt !== null) {
    facts.push(html`ended ${times.moment(resolvedAt)}`);
    if (!incident.isCancelled) facts.push(`lasted ${formatDuration((resolvedAt - startedAt) / 1000)}`);
  }
  const main = html`<h1>${name}</h1>
<p>${joinMarkup(facts, ' · ')}</p>
<div class="card incident ${impactWords[impact].className}">${formatIncidentStory(incident, view)}</div>`;
  return formatPage(view, name, main);
}
