// One more update of an incident or a maintenance: who says what, which components it touches, and what follows for the
// instants of the incident itself. The same for people and for the automation.
import { createIdentifier } from './create-identifier.ts';
import { overallStatus, worseImpact } from './overall-status.ts';
import { nextNumber, type StateEditor } from './state-editor.ts';
import type {
  AffectedComponent,
  ComponentRecord,
  ComponentStatus,
  Impact,
  IncidentRecord,
  IncidentStatus,
  StatusState,
} from './status-state.ts';

export const automatic = 'automatic';

export type NewUpdate = { status: IncidentStatus; body: string; by: string; now: number };

/** Puts the incident with its update; times, impact and affected components follow from both. */
export function addUpdate(editor: StateEditor, incident: IncidentRecord, update: NewUpdate): IncidentRecord {
  const { status, body, by, now } = update;
  const affected = listAffected(editor.state, incident);
  const next: IncidentRecord = {
    ...incident,
    status,
    updatedAt: now,
    ...instantsOf(incident, status, now),
    updates: [
      {
        id: createIdentifier(`update/${incident.id}/${nextNumber(editor, 'update')}`),
        status,
        body,
        createdAt: now,
        updatedAt: now,
        displayAt: now,
        affectedComponents: affected.length > 0 ? affected : null,
        by,
      },
      ...incident.updates,
    ],
  };
  editor.put('incidents', next.id, next);
  return next;
}

export type NewIncident = Pick<
  IncidentRecord,
  'kind' | 'name' | 'impact' | 'componentIds' | 'cause' | 'heldBy' | 'scheduledFor' | 'scheduledUntil' | 'startedAt'
>;

/** An incident without updates, not yet part of the state. */
export function createIncident(editor: StateEditor, options: NewIncident, now: number): IncidentRecord {
  const number = nextNumber(editor, 'incident');
  return {
    id: createIdentifier(`${options.kind}/${now}/${number}`),
    status: options.kind === 'incident' ? 'investigating' : 'scheduled',
    createdAt: now,
    updatedAt: now,
    monitoringAt: null,
    resolvedAt: null,
    updates: [],
    cleanMs: 0,
    ...options,
  };
}

/** The blend over the whole page, as if all components but these were operational; never lower than it was. */
export function impactOf(state: StatusState, componentIds: readonly string[], before: Impact = 'none'): Impact {
  const leaves = Object.values(state.components).filter(({ group }) => !group);
  const statuses = leaves.map(({ id, status, measured, override, troubleSince }): ComponentStatus => {
    if (!componentIds.includes(id) || status === 'under_maintenance') return 'operational';
    // Trouble that a person's word does not speak of.
    return override && troubleSince !== null ? measured : status;
  });
  return worseImpact(before, overallStatus(statuses, []).indicator);
}

export function findComponents({ components }: StatusState, ids: readonly string[]): ComponentRecord[] {
  return Object.values(components)
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => a.position - b.position);
}

/** The status that an incident's last update named for a component; null where none did. */
export function lastNamedStatus({ updates }: IncidentRecord, componentId: string): ComponentStatus | null {
  for (const { affectedComponents } of updates) {
    const found = affectedComponents?.find(({ code }) => code === componentId);
    if (found) return found.newStatus;
  }
  return null;
}

function listAffected(state: StatusState, incident: IncidentRecord): AffectedComponent[] {
  const groups = new Map(Object.values(state.components).map(({ id, name }) => [id, name]));
  return findComponents(state, incident.componentIds).map(({ id, name, groupId, status }) => ({
    code: id,
    name: groupId === null ? name : `${groups.get(groupId)} - ${name}`,
    // Before an incident a component was in order; a maintenance begins by announcing, which changes nothing.
    oldStatus: lastNamedStatus(incident, id) ?? (incident.kind === 'incident' ? 'operational' : status),
    newStatus: status,
  }));
}

function instantsOf(
  { monitoringAt, resolvedAt }: IncidentRecord,
  status: IncidentStatus,
  now: number,
): Pick<IncidentRecord, 'monitoringAt' | 'resolvedAt'> {
  switch (status) {
    case 'monitoring':
      return { monitoringAt: now, resolvedAt: null };
    case 'resolved':
    case 'completed':
      return { monitoringAt, resolvedAt: now };
    case 'postmortem':
      return { monitoringAt, resolvedAt: resolvedAt ?? now };
    default:
      return { monitoringAt: null, resolvedAt: null };
  }
}
