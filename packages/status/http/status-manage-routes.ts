// How operators change components, incidents and maintenances over HTTP, and read the list of changes. Answers are the
// records as clients see them, with the operator who took them over.
import type { FastifyInstance } from 'fastify';
import type { StatusService } from '../create-status-service.ts';
import {
  cancelMaintenance,
  changeComponent,
  changeIncident,
  deleteIncident,
  type MaintenanceChange,
  openIncident,
  scheduleMaintenance,
} from '../operator-changes.ts';
import { invalid } from '../operator-error.ts';
import { listComponents, listIncidents } from '../shown.ts';
import {
  type ComponentRecord,
  type ComponentStatus,
  componentStatuses,
  type Impact,
  type IncidentRecord,
  type IncidentStatus,
  impacts,
} from '../status-state.ts';
import { componentBody, incidentBody } from '../summary-bodies.ts';
import { addManageOperations, type ManageOperation, readObject } from './manage-operations.ts';
import type { StatusGate } from './status-gate.ts';

type Make = typeof scheduleMaintenance;

export function addStatusManageRoutes(
  app: FastifyInstance,
  { service, gate }: { service: StatusService; gate: StatusGate },
): void {
  const { state } = service;
  const toIncident = (incident: IncidentRecord) => ({
    ...incidentBody(state(), incident),
    automatic: incident.cause !== null,
    held_by: incident.heldBy,
  });
  const toComponent = (component: ComponentRecord) => {
    const { key, measured, reason, override } = component;
    return { ...componentBody(state(), component), key, measured, reason, said_by: override?.by ?? null };
  };

  function incidentOperations(kind: IncidentRecord['kind'], make: Make, ownMembers: string[]): ManageOperation[] {
    const members = ['name', 'status', 'impact', 'body', 'components', ...ownMembers];
    const path = `/${kind}s`;
    return [
      { method: 'GET', path, run: () => listIncidents(state(), kind).map(toIncident) },
      {
        method: 'POST',
        path,
        status: 201,
        run({ body, by }) {
          const asked = readChange(readObject(body, members));
          return toIncident(service.change((before, now) => make(before, asked, { by, now })));
        },
      },
      {
        method: 'PATCH',
        path: `${path}/:id`,
        run({ id, body, by }) {
          const asked = readChange(readObject(body, members));
          return toIncident(service.change((before, now) => changeIncident(before, kind, id, asked, { by, now })));
        },
      },
    ];
  }

  addManageOperations(app, gate, [
    { method: 'GET', path: '/components', run: () => listComponents(state()).map(toComponent) },
    {
      method: 'PATCH',
      path: '/components/:id',
      run({ id, body, by }) {
        const { status } = readObject(body, ['status']);
        if (status === undefined) throw invalid('"status" is missing: a status, or null to give the component back.');
        const said = status === null ? null : readWord<ComponentStatus>('status', status, componentStatuses);
        return toComponent(service.change((before, now) => changeComponent(before, id, said, { by, now })));
      },
    },
    ...incidentOperations('incident', openIncident, ['release']),
    ...incidentOperations('maintenance', scheduleMaintenance, ['scheduled_for', 'scheduled_until']),
    {
      method: 'DELETE',
      path: '/incidents/:id',
      run: ({ id, by }) => toIncident(service.change((before, now) => deleteIncident(before, id, { by, now }))),
    },
    {
      method: 'DELETE',
      path: '/maintenances/:id',
      run({ id, body, by }) {
        const asked = readChange(readObject(body ?? {}, ['body']));
        return toIncident(service.change((before, now) => cancelMaintenance(before, id, asked, { by, now })));
      },
    },
    {
      method: 'GET',
      path: '/changes',
      run: () => Object.values(state().changes).toSorted((a, b) => b.number - a.number),
    },
  ]);
}

function readChange(body: Record<string, unknown>): MaintenanceChange {
  const read = <T>(name: string, reader: (name: string, value: unknown) => T): T | undefined =>
    body[name] === undefined ? undefined : reader(name, body[name]);
  return {
    name: read('name', readText),
    // Which of them are valid depends on the kind of record.
    status: read('status', readText) as IncidentStatus | undefined,
    impact: read('impact', (name, value) => readWord<Impact>(name, value, impacts)),
    body: read('body', readText),
    components: read('components', readComponents),
    release: read('release', readSwitch),
    scheduledFor: read('scheduled_for', readInstant),
    scheduledUntil: read('scheduled_until', readInstant),
  };
}

/** A list of components, or an object with the state of each. */
function readComponents(name: string, value: unknown): Record<string, ComponentStatus | null> {
  if (Array.isArray(value)) return Object.fromEntries(value.map((reference) => [String(reference), null]));
  const entries = Object.entries(readObject(value, null)).map(([reference, status]) => [
    reference,
    status === null ? null : readWord<ComponentStatus>(`${name}.${reference}`, status, componentStatuses),
  ]);
  return Object.fromEntries(entries);
}

const maxTextLength = 20_000;

function readText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= maxTextLength) return value;
  throw invalid(`"${name}" must be a text of at most ${maxTextLength} characters.`);
}

function readSwitch(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(`"${name}" must be true or false.`);
}

function readWord<W extends string>(name: string, value: unknown, words: readonly W[]): W {
  const found = words.find((word) => word === value);
  if (found) return found;
  throw invalid(`"${name}" must be one of ${words.join(', ')}.`);
}

function readInstant(name: string, value: unknown): number {
  const instant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(instant)) return instant;
  throw invalid(`"${name}" must be a date and time such as 2026-11-21T18:00:00Z.`);
}
