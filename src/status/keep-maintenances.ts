// Planned maintenances by the clock: they begin as planned, and end after their time when there is no problem. A
// problem that lasts too long after that becomes an incident. The rules do not change what an operator has changed.
import { addUpdate, automatic, createIncident, findComponents, impactOf } from './incident-updates.ts';
import type { Moment } from './judge-components.ts';
import { isActiveMaintenance, isUpcoming, listIncidents } from './shown.ts';
import type { StateEditor } from './state-editor.ts';
import type { StatusTimings } from './status-rules.ts';
import type { IncidentRecord } from './status-state.ts';

export function keepMaintenances(editor: StateEditor, timings: StatusTimings, moment: Moment): void {
  for (const maintenance of listIncidents(editor.state, 'maintenance')) {
    if (isUpcoming(maintenance) && moment.now >= maintenance.scheduledFor!) {
      say(editor, maintenance, 'in_progress', 'The maintenance has begun.', moment);
    } else if (isActiveMaintenance(maintenance) && moment.now >= maintenance.scheduledUntil!) {
      end(editor, maintenance, timings, moment);
    }
  }
}

function end(editor: StateEditor, maintenance: IncidentRecord, timings: StatusTimings, moment: Moment): void {
  const { now, watchedMs } = moment;
  const members = findComponents(editor.state, maintenance.componentIds);
  const troubled = members.filter(({ measured }) => measured !== 'operational');
  if (troubled.length > 0) {
    if (now - maintenance.scheduledUntil! >= timings.maintenanceOverrunMs)
      overrun(editor, maintenance, timings, moment);
    else if (maintenance.cleanMs > 0) editor.put('incidents', maintenance.id, { ...maintenance, cleanMs: 0 });
    return;
  }
  if (maintenance.status === 'in_progress') {
    say(
      editor,
      { ...maintenance, cleanMs: 0 },
      'verifying',
      'The work is done; it is being watched whether all is well.',
      moment,
    );
    return;
  }
  const cleanMs = maintenance.cleanMs + watchedMs;
  if (cleanMs >= timings.maintenanceVerifiesMs) {
    say(editor, { ...maintenance, cleanMs }, 'completed', 'The maintenance is completed.', moment);
  } else if (watchedMs > 0) {
    editor.put('incidents', maintenance.id, { ...maintenance, cleanMs });
  }
}

function overrun(
  editor: StateEditor,
  maintenance: IncidentRecord,
  { maintenanceOverrunMs }: StatusTimings,
  moment: Moment,
): void {
  const { now } = moment;
  const minutes = Math.round(maintenanceOverrunMs / 60_000);
  const body = `The maintenance was planned to end ${minutes > 0 ? `${minutes} minutes` : 'a while'} ago, and there is still a problem. It becomes an incident.`;
  const completed = addUpdate(editor, maintenance, { status: 'completed', body, by: automatic, now });
  // From here on the components show what is measured.
  for (const component of findComponents(editor.state, maintenance.componentIds)) {
    if (component.status !== 'under_maintenance') continue;
    editor.put('components', component.key, {
      ...component,
      status: component.measured,
      troubleSince: now,
      updatedAt: now,
    });
  }
  const members = findComponents(editor.state, completed.componentIds);
  const incident = createIncident(
    editor,
    {
      kind: 'incident',
      name: `Overrun: ${maintenance.name}`,
      impact: impactOf(editor.state, maintenance.componentIds),
      componentIds: maintenance.componentIds,
      cause: members.find(({ measured }) => measured !== 'operational')?.key ?? null,
      heldBy: null,
      scheduledFor: null,
      scheduledUntil: null,
      startedAt: maintenance.scheduledUntil!,
    },
    now,
  );
  addUpdate(editor, incident, { status: 'investigating', body, by: automatic, now });
}

function say(
  editor: StateEditor,
  maintenance: IncidentRecord,
  status: IncidentRecord['status'],
  body: string,
  { now }: Moment,
): void {
  addUpdate(editor, maintenance, { status, body, by: automatic, now });
}
