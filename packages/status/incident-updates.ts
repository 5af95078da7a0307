// Updates of incidents and maintenances, by people or the automation: author, text, affected components, and the
// incident's times.
import { createIdentifier } from './create-identifier.ts';
import { overallStatus, worseImpact } from './overall-status.ts';
import { showComponents } from './show-components.ts';
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

/** Author of what the automation changes. */
export const automatic = 'automatic';

/** An update by the automation. */
export function say(
  editor: StateEditor,
  incident: IncidentRecord,
  status: IncidentStatus,
  body: string,
  now: number,
): IncidentRecord {
  return addUpdate(editor, incident, { status, body, by: automatic, now });
}

export type NewUpdate = { status: IncidentStatus; body: string; by: string; now: number };

/**
 * Stores the incident with its update; times and affected components follow from both. A maintenance that begins or
 * ends with it is shown: the update names the states from now on. An update comes at least 1 ms after the one before.
 */
export function addUpdate(editor: StateEditor, incident: IncidentRecord, update: NewUpdate): IncidentRecord {
  const { status, body, by } = update;
  const now = Math.max(update.now, (incident.updates[0]?.createdAt ?? 0) + 1);
  const before = editor.state;
  const next: IncidentRecord = { ...incident, status, updatedAt: now, ...instantsOf(incident, status, now) };
  editor.put('incidents', next.id, next);
  if (incident.kind === 'maintenance') showComponents(editor, { now: update.now, watchedMs: 0 });
  const affected = listAffected(editor.state, before, incident);
  const updated: IncidentRecord = {
    ...next,
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
  editor.put('incidents', updated.id, updated);
  return updated;
}

/** All other members of a record begin empty. */
export type NewIncident = Pick<IncidentRecord, 'kind' | 'name' | 'impact' | 'componentIds' | 'startedAt'> &
  Partial<Pick<IncidentRecord, 'cause' | 'heldBy' | 'scheduledFor' | 'scheduledUntil'>>;

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
    cause: null,
    heldBy: null,
    scheduledFor: null,
    scheduledUntil: null,
    ...options,
  };
}

/** The page's impact if all other components were operational; never lower than `before`. */
export function impactOf(state: StatusState, componentIds: readonly string[], before: Impact = 'none'): Impact {
  const leaves = Object.values(state.components).filter(({ group }) => !group);
  const statuses = leaves.map(({ id, status, measured, override, troubleSince }): ComponentStatus => {
    if (!componentIds.includes(id) || status === 'under_maintenance') return 'operational';
    // A problem that the state set by a person does not cover.
    return override && troubleSince !== null ? measured : status;
  });
  return worseImpact(before, overallStatus(statuses, []).indicator);
}

export function findComponents({ components }: StatusState, ids: readonly string[]): ComponentRecord[] {
  return Object.values(components)
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => a.position - b.position);
}

/** The status that an incident's last update named for a component; null if none did. */
export function lastNamedStatus({ updates }: IncidentRecord, componentId: string): ComponentStatus | null {
  for (const { affectedComponents } of updates) {
    const found = affectedComponents?.find(({ code }) => code === componentId);
    if (found) return found.newStatus;
  }
  return null;
}

function listAffected(state: StatusState, before: StatusState, incident: IncidentRecord): AffectedComponent[] {
  const groups = new Map(Object.values(state.components).map(({ id, name }) => [id, name]));
  return findComponents(state, incident.componentIds).map(({ id, key, name, groupId, status }) => ({
    code: id,
    name: groupId === null ? name : `${groups.get(groupId)} - ${name}`,
    // Before an incident a component was operational; the announcement of a maintenance changes nothing.
    oldStatus:
      lastNamedStatus(incident, id) ?? (incident.kind === 'incident' ? 'operational' : before.components[key]!.status),
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
