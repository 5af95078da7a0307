// Planned maintenances by the clock: they begin as planned, and end after their time if there is no problem. A problem
// that lasts too long after that becomes an incident.
import { releaseComponents } from './component-overrides.ts';
import { automatic, createIncident, findComponents, impactOf, say } from './incident-updates.ts';
import type { Moment } from './judge-components.ts';
import { isActiveMaintenance, isUpcoming, listIncidents } from './shown.ts';
import type { StateEditor } from './state-editor.ts';
import type { StatusTimings } from './status-rules.ts';
import type { ComponentRecord, IncidentRecord } from './status-state.ts';

export function keepMaintenances(editor: StateEditor, timings: StatusTimings, moment: Moment): void {
  const { now } = moment;
  for (const maintenance of listIncidents(editor.state, 'maintenance')) {
    if (isUpcoming(maintenance) && now >= maintenance.scheduledFor!) {
      say(editor, maintenance, 'in_progress', 'The planned time of the maintenance has begun.', now);
    } else if (isActiveMaintenance(maintenance) && now >= maintenance.scheduledUntil!) {
      end(editor, maintenance, timings, moment);
    }
  }
}

function end(
  editor: StateEditor,
  maintenance: IncidentRecord,
  timings: StatusTimings,
  { now, watchedMs }: Moment,
): void {
  const members = findComponents(editor.state, maintenance.componentIds);
  if (members.some(isInTrouble)) {
    const isOverdue = now - maintenance.scheduledUntil! >= timings.maintenanceOverrunMs;
    if (isOverdue) overrun(editor, maintenance, timings, now);
    else if (maintenance.cleanMs > 0) editor.put('incidents', maintenance.id, { ...maintenance, cleanMs: 0 });
    return;
  }
  if (maintenance.status === 'in_progress') {
    const body = 'The planned time is over, and nothing of it has a problem; it is being watched whether that lasts.';
    say(editor, { ...maintenance, cleanMs: 0 }, 'verifying', body, now);
    return;
  }
  const cleanMs = maintenance.cleanMs + watchedMs;
  if (cleanMs >= timings.maintenanceVerifiesMs) {
    const body = 'No problem has come up since the planned time was over. The maintenance is completed.';
    complete(editor, { ...maintenance, cleanMs }, body, now);
  } else if (watchedMs > 0) {
    editor.put('incidents', maintenance.id, { ...maintenance, cleanMs });
  }
}

/** What operators set for it ends with it: from here on the components show their measured states. */
function complete(editor: StateEditor, maintenance: IncidentRecord, body: string, now: number): void {
  releaseComponents({ editor, by: automatic, now }, maintenance);
  say(editor, maintenance, 'completed', body, now);
}

function isInTrouble({ measured }: ComponentRecord): boolean {
  return measured !== 'operational';
}

function overrun(
  editor: StateEditor,
  maintenance: IncidentRecord,
  { maintenanceOverrunMs }: StatusTimings,
  now: number,
): void {
  const { componentIds, scheduledUntil } = maintenance;
  const minutes = Math.round(maintenanceOverrunMs / 60_000);
  const body = `The maintenance was planned to end ${minutes > 0 ? `${minutes} minutes` : 'a while'} ago, and there is still a problem. It becomes an incident.`;
  complete(editor, maintenance, body, now);
  const incident = createIncident(
    editor,
    {
      kind: 'incident',
      name: `Overrun: ${maintenance.name}`,
      impact: impactOf(editor.state, componentIds),
      componentIds,
      cause: findComponents(editor.state, componentIds).find(isInTrouble)?.key ?? null,
      startedAt: scheduledUntil!,
    },
    now,
  );
  say(editor, incident, 'investigating', body, now);
}
