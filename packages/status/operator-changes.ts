// Operators' changes of components, incidents and maintenances. They override the automation until they are released,
// and every change is stored with author, time, old and new value. Pure functions of the state.
import { type Change, findComponent, override, recordChange, releaseComponents, show } from './component-overrides.ts';
import { addUpdate, createIncident, findComponents, impactOf, type NewIncident } from './incident-updates.ts';
import { invalid, OperatorError } from './operator-error.ts';
import { isActiveMaintenance, isOver } from './shown.ts';
import { createStateEditor } from './state-editor.ts';
import {
  type ComponentRecord,
  type ComponentStatus,
  type Impact,
  type IncidentRecord,
  type IncidentStatus,
  incidentStatuses,
  maintenanceStatuses,
  type StatusState,
} from './status-state.ts';

type Author = Pick<Change, 'by' | 'now'>;
type Changed<R> = { state: StatusState; record: R };

/** @param reference id, key or name of the component */
export function changeComponent(
  state: StatusState,
  reference: string,
  /** null returns it to the automation. */
  status: ComponentStatus | null,
  author: Author,
): Changed<ComponentRecord> {
  const change = begin(state, author);
  const { key } = override(change, reference, status);
  show(change);
  return { state: change.editor.state, record: change.editor.state.components[key]! };
}

export type IncidentChange = {
  name?: string | undefined;
  status?: IncidentStatus | undefined;
  impact?: Impact | undefined;
  body?: string | undefined;
  /** Component reference → its state from now on; null lists the component without a state. */
  components?: Record<string, ComponentStatus | null> | undefined;
  /** Returns the incident to the automation. */
  release?: boolean | undefined;
};

export type MaintenanceChange = IncidentChange & {
  /** ms since 1970 */
  scheduledFor?: number | undefined;
  scheduledUntil?: number | undefined;
};

export function openIncident(state: StatusState, asked: IncidentChange, author: Author): Changed<IncidentRecord> {
  const change = begin(state, author);
  const status = readStatus('incident', asked.status ?? 'investigating');
  const componentIds = applyComponents(change, asked);
  const impact = asked.impact ?? impactOf(change.editor.state, componentIds);
  return openRecord(change, status, asked, { kind: 'incident', impact, componentIds, heldBy: author.by });
}

export function scheduleMaintenance(
  state: StatusState,
  asked: MaintenanceChange,
  author: Author,
): Changed<IncidentRecord> {
  const status = readStatus('maintenance', asked.status ?? 'scheduled');
  const window = readWindow(asked, { scheduledFor: null, scheduledUntil: null });
  assertNotPast(window.scheduledUntil, status, author);
  const componentIds = Object.keys(asked.components ?? {}).map((reference) => findComponent(state, reference).id);
  const impact = asked.impact ?? 'maintenance';
  return openRecord(begin(state, author), status, asked, { kind: 'maintenance', impact, componentIds, ...window });
}

/** An incident or a maintenance: given members are changed; a text or a state makes an update. */
export function changeIncident(
  state: StatusState,
  kind: IncidentRecord['kind'],
  id: string,
  asked: MaintenanceChange,
  author: Author,
): Changed<IncidentRecord> {
  const { by, now } = author;
  const before = findIncident(state, kind, id);
  const change = begin(state, author);
  const status = readStatus(kind, asked.status ?? movedStatus(before, asked, now));
  if (asked.scheduledUntil !== undefined) assertNotPast(asked.scheduledUntil, status, author);
  const componentIds = applyComponents(change, asked);
  if (isOver({ status }) && !isOver(before)) releaseComponents(change, before);
  const next: IncidentRecord = {
    ...before,
    name: asked.name === undefined ? before.name : readText('name', asked.name),
    impact: asked.impact ?? before.impact,
    componentIds: [...new Set([...before.componentIds, ...componentIds])],
    heldBy: asked.release ? null : kind === 'incident' ? by : before.heldBy,
    // An incident opened by a person has no cause; returned to the automation, it continues by its components.
    cause: asked.release && before.cause === null ? by : before.cause,
    cleanMs: 0,
    updatedAt: now,
    ...(kind === 'maintenance' ? readWindow(asked, before) : {}),
  };
  if (asked.body === undefined && status === before.status) {
    change.editor.put('incidents', id, next);
    return finish(change, before, next);
  }
  const body = asked.body === undefined ? sentenceOf(status, before) : readText('body', asked.body);
  return finish(change, before, addUpdate(change.editor, next, { status, body, by, now }));
}

/** Removes it from everything shown; the list of changes keeps it. */
export function deleteIncident(state: StatusState, id: string, author: Author): Changed<IncidentRecord> {
  const before = findIncident(state, 'incident', id);
  const change = begin(state, author);
  const { editor } = change;
  releaseComponents(change, before);
  editor.remove('incidents', id);
  // The problem is known; the rules do not open an incident for it again.
  for (const component of findComponents(editor.state, before.componentIds)) {
    if (component.troubleSince !== null) editor.put('components', component.key, { ...component, isDismissed: true });
  }
  recordChange(change, 'incident', before, toRemembered(before), null);
  return { state: editor.state, record: before };
}

/** A maintenance that will not take place, or is aborted: it stays in the history as cancelled. */
export function cancelMaintenance(
  state: StatusState,
  id: string,
  { body = 'The maintenance was cancelled.' }: Pick<IncidentChange, 'body'>,
  author: Author,
): Changed<IncidentRecord> {
  const before = findIncident(state, 'maintenance', id);
  if (before.status === 'completed') throw invalid(`The maintenance ${id} is over already.`);
  const change = begin(state, author);
  releaseComponents(change, before);
  const update = { status: 'completed' as const, body: readText('body', body), ...author };
  return finish(change, before, addUpdate(change.editor, { ...before, isCancelled: true }, update));
}

function findIncident({ incidents }: StatusState, kind: IncidentRecord['kind'], id: string): IncidentRecord {
  const found = incidents[id];
  if (found?.kind === kind) return found;
  throw new OperatorError('notFound', `There is no ${kind} ${id}.`);
}

/** A maintenance that has begun and is moved to a time to come is planned again. */
function movedStatus(before: IncidentRecord, { scheduledFor }: MaintenanceChange, now: number): IncidentStatus {
  const isMoved = isActiveMaintenance(before) && scheduledFor !== undefined && scheduledFor > now;
  return isMoved ? 'scheduled' : before.status;
}

function sentenceOf(status: IncidentStatus, before: IncidentRecord): string {
  return status === 'scheduled' && before.status !== 'scheduled'
    ? 'The maintenance was moved to a later time.'
    : statusSentences[status];
}

const statusSentences: Record<IncidentStatus, string> = {
  investigating: 'The cause is being looked for.',
  identified: 'The cause is known.',
  monitoring: 'Something was done about it; it is being watched whether that helps.',
  resolved: 'The incident is over.',
  postmortem: 'The incident has been looked into.',
  scheduled: 'The maintenance is planned.',
  in_progress: 'The maintenance has begun.',
  verifying: 'The work is done; it is being watched whether all is well.',
  completed: 'The maintenance is completed.',
};

function begin(state: StatusState, { by, now }: Author): Change {
  return { editor: createStateEditor(state), by, now };
}

function applyComponents(change: Change, { components = {} }: IncidentChange): string[] {
  const found = Object.entries(components).map(([reference, status]) =>
    status === null ? findComponent(change.editor.state, reference) : override(change, reference, status),
  );
  show(change);
  return found.map(({ id }) => id);
}

/** With its first update. */
function openRecord(
  change: Change,
  status: IncidentStatus,
  asked: IncidentChange,
  members: Omit<NewIncident, 'name' | 'startedAt'>,
): Changed<IncidentRecord> {
  const { editor, now, by } = change;
  const name = readText('name', asked.name);
  const opened = createIncident(editor, { ...members, name, startedAt: now }, now);
  const update = { status, body: readText('body', asked.body), by, now };
  return finish(change, null, addUpdate(editor, opened, update));
}

function finish(change: Change, before: IncidentRecord | null, after: IncidentRecord): Changed<IncidentRecord> {
  // A maintenance that was begun or ended by an operator is shown at once.
  show(change);
  recordChange(change, after.kind, after, before && toRemembered(before), toRemembered(after));
  const { state } = change.editor;
  return { state, record: state.incidents[after.id]! };
}

function toRemembered({ name, status, impact, heldBy, scheduledFor, scheduledUntil, updates }: IncidentRecord) {
  return { name, status, impact, heldBy, scheduledFor, scheduledUntil, body: updates[0]?.body ?? null };
}

const statusesOf: Record<IncidentRecord['kind'], readonly IncidentStatus[]> = {
  incident: incidentStatuses,
  maintenance: maintenanceStatuses,
};

function readStatus(kind: IncidentRecord['kind'], status: IncidentStatus): IncidentStatus {
  if (statusesOf[kind].includes(status)) return status;
  throw invalid(`The status of a ${kind} is one of ${statusesOf[kind].join(', ')}, not "${status}".`);
}

function readText(name: string, text: string | undefined): string {
  if (text !== undefined && text.trim() !== '') return text;
  throw invalid(`"${name}" must be a text that is not empty.`);
}

/** A time in the past is accepted only for a completed maintenance. */
function assertNotPast(scheduledUntil: number | null, status: IncidentStatus, { now }: Author): void {
  if (scheduledUntil !== null && scheduledUntil <= now && status !== 'completed') {
    throw invalid(
      `"scheduled_until" is over already: it is ${new Date(now).toISOString()} now. Give a time to come, or the status "completed".`,
    );
  }
}

type Window = Pick<IncidentRecord, 'scheduledFor' | 'scheduledUntil'>;

function readWindow(asked: MaintenanceChange, before: Window): Window {
  const scheduledFor = asked.scheduledFor ?? before.scheduledFor;
  const scheduledUntil = asked.scheduledUntil ?? before.scheduledUntil;
  if (scheduledFor === null || scheduledUntil === null || scheduledUntil <= scheduledFor) {
    throw invalid('A maintenance needs "scheduled_for" and a later "scheduled_until".');
  }
  return { scheduledFor, scheduledUntil };
}
