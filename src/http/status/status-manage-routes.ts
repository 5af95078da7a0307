// How people speak through the status summary over HTTP: components, incidents, maintenances, and the list of what was
// changed. Bodies are JSON; what comes back is the record as clients see it, with who holds it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { StatusService } from '../../status/create-status-service.ts';
import {
  cancelMaintenance,
  changeComponent,
  changeIncident,
  deleteIncident,
  type IncidentChange,
  type MaintenanceChange,
  OperatorError,
  type OperatorProblem,
  openIncident,
  scheduleMaintenance,
} from '../../status/operator-changes.ts';
import { listComponents, listIncidents } from '../../status/shown.ts';
import {
  type ComponentRecord,
  type ComponentStatus,
  componentStatuses,
  type Impact,
  type IncidentRecord,
  type IncidentStatus,
  impacts,
  type StatusState,
} from '../../status/status-state.ts';
import { componentBody, incidentBody } from '../../status/summary-bodies.ts';
import { formatErrorBody } from '../frame/request-error.ts';
import { writeAnswer } from '../frame/write-answer.ts';
import type { StatusGate } from './status-gate.ts';

type Request = FastifyRequest<{ Params: { id?: string } }>;
type Author = { by: string; now: number };
type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  status: number;
  run(service: StatusService, request: Request, by: string): unknown;
};

const root = '/status/manage';

const operations: Operation[] = [
  {
    method: 'GET',
    url: '/components',
    status: 200,
    run: ({ state }) => listComponents(state()).map((each) => toComponent(state(), each)),
  },
  {
    method: 'PATCH',
    url: '/components/:id',
    status: 200,
    run(service, { params, body }, by) {
      const { status } = readObject(body, ['status']);
      const said = status === null ? null : readWord<ComponentStatus>('status', status, componentStatuses);
      if (said === undefined) throw invalid('"status" is missing: a status, or null to give the component back.');
      const record = service.change((state, now) => changeComponent(state, params.id!, said, { by, now }));
      return toComponent(service.state(), record);
    },
  },
  ...incidentOperations('incident', 'incidents', openIncident),
  ...incidentOperations('maintenance', 'maintenances', scheduleMaintenance),
  {
    method: 'DELETE',
    url: '/incidents/:id',
    status: 200,
    run(service, { params }, by) {
      const record = service.change((state, now) => deleteIncident(state, params.id!, { by, now }));
      return toIncident(service.state(), record);
    },
  },
  {
    method: 'DELETE',
    url: '/maintenances/:id',
    status: 200,
    run(service, { params, body }, by) {
      const asked = readChange(readObject(body ?? {}, ['body']));
      const record = service.change((state, now) => cancelMaintenance(state, params.id!, asked, { by, now }));
      return toIncident(service.state(), record);
    },
  },
  {
    method: 'GET',
    url: '/changes',
    status: 200,
    run: ({ state }) => Object.values(state().changes).toSorted((a, b) => b.number - a.number),
  },
];

export function addStatusManageRoutes(
  app: FastifyInstance,
  options: { service: StatusService; gate: StatusGate },
): void {
  const { service, gate } = options;
  for (const { method, url, status, run } of operations) {
    app.route({
      method,
      url: `${root}${url}`,
      async handler(request: Request, reply: FastifyReply) {
        const author = gate.authorize(request, reply);
        if (!author) return reply;
        const answer = (code: number, body: string) =>
          writeAnswer(request, reply, { status: code, body, cacheControl: 'no-store' });
        try {
          await answer(status, JSON.stringify(run(service, request, author.by)));
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          await answer(statusOfProblem[error.reason], formatErrorBody([error.message]));
        }
        return reply;
      },
    });
  }
}

const statusOfProblem: Record<OperatorProblem, number> = { notFound: 404, invalid: 400, notWritten: 503 };

type Make = (
  state: StatusState,
  asked: MaintenanceChange,
  author: Author,
) => { state: StatusState; record: IncidentRecord };

function incidentOperations(kind: IncidentRecord['kind'], plural: string, make: Make): Operation[] {
  const extra = kind === 'maintenance' ? ['scheduled_for', 'scheduled_until'] : ['release'];
  const members = ['name', 'status', 'impact', 'body', 'components', ...extra];
  return [
    {
      method: 'GET',
      url: `/${plural}`,
      status: 200,
      run: ({ state }) => listIncidents(state(), kind).map((each) => toIncident(state(), each)),
    },
    {
      method: 'POST',
      url: `/${plural}`,
      status: 201,
      run(service, { body }, by) {
        const asked = readChange(readObject(body, members));
        const record = service.change((state, now) => make(state, asked, { by, now }));
        return toIncident(service.state(), record);
      },
    },
    {
      method: 'PATCH',
      url: `/${plural}/:id`,
      status: 200,
      run(service, { params, body }, by) {
        const asked = readChange(readObject(body, members));
        const record = service.change((state, now) => changeIncident(state, kind, params.id!, asked, { by, now }));
        return toIncident(service.state(), record);
      },
    },
  ];
}

function toComponent(state: StatusState, component: ComponentRecord): Record<string, unknown> {
  const { key, measured, reason, override } = component;
  return { ...componentBody(state, component), key, measured, reason, said_by: override?.by ?? null };
}

function toIncident(state: StatusState, incident: IncidentRecord): Record<string, unknown> {
  return { ...incidentBody(state, incident), automatic: incident.cause !== null, held_by: incident.heldBy };
}

function readChange(body: Record<string, unknown>): MaintenanceChange {
  const { name, status, impact, body: text, components, release, scheduled_for, scheduled_until } = body;
  return {
    name: readText('name', name),
    // Which of them fit is known where it is known what they are the status of.
    status: readText('status', status) as IncidentStatus | undefined,
    impact: impact === undefined ? undefined : readWord<Impact>('impact', impact, impacts),
    body: readText('body', text),
    components: readComponents(components),
    release: release === undefined ? undefined : readSwitch('release', release),
    scheduledFor: readInstant('scheduled_for', scheduled_for),
    scheduledUntil: readInstant('scheduled_until', scheduled_until),
  };
}

/** A list of components, or an object with the state of each. */
function readComponents(value: unknown): IncidentChange['components'] {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return Object.fromEntries(value.map((reference) => [String(reference), null]));
  const entries = Object.entries(readObject(value, null)).map(([reference, status]) => [
    reference,
    status === null ? null : readWord<ComponentStatus>(`components.${reference}`, status, componentStatuses),
  ]);
  return Object.fromEntries(entries);
}

function readObject(value: unknown, members: readonly string[] | null): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid('The body must be a JSON object.');
  const unknown = members && Object.keys(value).find((name) => !members.includes(name));
  if (unknown) throw invalid(`"${unknown}" is not known here; known are ${members.join(', ')}.`);
  return value as Record<string, unknown>;
}

const maxTextLength = 20_000;

function readText(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length <= maxTextLength) return value;
  throw invalid(`"${name}" must be a text of at most ${maxTextLength} characters.`);
}

function readSwitch(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(`"${name}" must be true or false.`);
}

function readWord<W extends string>(name: string, value: unknown, words: readonly W[]): W | undefined {
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found) return found;
  throw invalid(`"${name}" must be one of ${words.join(', ')}.`);
}

function readInstant(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const instant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(instant)) return instant;
  throw invalid(`"${name}" must be a date and time such as 2026-11-21T18:00:00Z.`);
}

function invalid(message: string): OperatorError {
  return new OperatorError('invalid', message);
}
