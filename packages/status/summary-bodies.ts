// The state as bodies of the Statuspage v2 endpoints: exactly their members in their order, because some clients refuse
// other members.
import { findComponents } from './incident-updates.ts';
import { type OverallStatus, overallStatus } from './overall-status.ts';
import {
  incidentsShown,
  incidentUrl,
  isActiveMaintenance,
  isOpenIncident,
  isUpcoming,
  listComponents,
  listIncidents,
} from './shown.ts';
import type { ComponentRecord, IncidentRecord, IncidentUpdate, StatusState } from './status-state.ts';

type Selection = (state: StatusState) => Record<string, unknown>;

/** The path below `/api/v2/`, without `.json`. */
export type SummaryName =
  | 'summary'
  | 'status'
  | 'components'
  | 'incidents'
  | 'incidents/unresolved'
  | 'scheduled-maintenances'
  | 'scheduled-maintenances/upcoming'
  | 'scheduled-maintenances/active';

export const summaryBodies: Readonly<Record<SummaryName, Selection>> = {
  summary: (state) => ({
    components: componentsBody(state),
    incidents: incidentsBody(state, 'incident', isOpenIncident),
    scheduled_maintenances: incidentsBody(state, 'maintenance', (one) => isUpcoming(one) || isActiveMaintenance(one)),
    status: statusBody(state),
  }),
  status: (state) => ({ status: statusBody(state) }),
  components: (state) => ({ components: componentsBody(state) }),
  incidents: (state) => ({ incidents: incidentsBody(state, 'incident') }),
  'incidents/unresolved': (state) => ({ incidents: incidentsBody(state, 'incident', isOpenIncident) }),
  'scheduled-maintenances': maintenances(),
  'scheduled-maintenances/upcoming': maintenances(isUpcoming),
  'scheduled-maintenances/active': maintenances(isActiveMaintenance),
};

function maintenances(isShown?: (incident: IncidentRecord) => boolean): Selection {
  return (state) => ({ scheduled_maintenances: incidentsBody(state, 'maintenance', isShown) });
}

export function pageBody(state: StatusState): Record<string, unknown> {
  const page = state.page.page!;
  return {
    id: page.id,
    name: page.name,
    url: page.url,
    time_zone: page.timeZone,
    updated_at: formatInstant(lastChange(state)),
  };
}

export function statusBody(state: StatusState): OverallStatus {
  const leaves = listComponents(state).filter(({ group }) => !group);
  const open = listIncidents(state, 'incident').filter(isOpenIncident);
  return overallStatus(
    leaves.map(({ status }) => status),
    open.map(({ impact }) => impact),
  );
}

export function componentBody(state: StatusState, component: ComponentRecord): Record<string, unknown> {
  const { id, name, status, createdAt, updatedAt, position, description, groupId, group } = component;
  return {
    id,
    name,
    status,
    created_at: formatInstant(createdAt),
    updated_at: formatInstant(updatedAt),
    position,
    description,
    showcase: !group,
    start_date: formatInstant(createdAt),
    group_id: groupId,
    page_id: state.page.page!.id,
    group,
    only_show_if_degraded: false,
    ...(group && { components: childrenOf(state, id) }),
  };
}

function childrenOf(state: StatusState, groupId: string): string[] {
  const children = listComponents(state).filter((child) => child.groupId === groupId);
  return children.map(({ id }) => id);
}

export function incidentBody(state: StatusState, incident: IncidentRecord): Record<string, unknown> {
  const { id, name, status, createdAt, updatedAt, monitoringAt, resolvedAt, impact, startedAt } = incident;
  const { kind, scheduledFor, scheduledUntil } = incident;
  return {
    id,
    name,
    status,
    created_at: formatInstant(createdAt),
    updated_at: formatInstant(updatedAt),
    monitoring_at: formatInstant(monitoringAt),
    resolved_at: formatInstant(resolvedAt),
    impact,
    shortlink: incidentUrl(state, id),
    started_at: formatInstant(startedAt),
    page_id: state.page.page!.id,
    incident_updates: incident.updates.map((update) => updateBody(incident, update)),
    components: findComponents(state, incident.componentIds).map((component) => componentBody(state, component)),
    reminder_intervals: null,
    ...(kind === 'maintenance' && {
      scheduled_for: formatInstant(scheduledFor),
      scheduled_until: formatInstant(scheduledUntil),
    }),
  };
}

function updateBody({ id: incidentId }: IncidentRecord, update: IncidentUpdate): Record<string, unknown> {
  const { id, status, body, createdAt, updatedAt, displayAt, affectedComponents } = update;
  return {
    id,
    status,
    body,
    incident_id: incidentId,
    created_at: formatInstant(createdAt),
    updated_at: formatInstant(updatedAt),
    display_at: formatInstant(displayAt),
    affected_components:
      affectedComponents?.map(({ code, name, oldStatus, newStatus }) => ({
        code,
        name,
        old_status: oldStatus,
        new_status: newStatus,
      })) ?? null,
    deliver_notifications: true,
    custom_tweet: null,
    tweet_id: null,
  };
}

function componentsBody(state: StatusState): Record<string, unknown>[] {
  return listComponents(state).map((component) => componentBody(state, component));
}

function incidentsBody(
  state: StatusState,
  kind: IncidentRecord['kind'],
  isShown: (incident: IncidentRecord) => boolean = () => true,
): Record<string, unknown>[] {
  return listIncidents(state, kind)
    .filter(isShown)
    .slice(0, incidentsShown)
    .map((incident) => incidentBody(state, incident));
}

/** Of anything visible to clients. */
function lastChange({ page, components, incidents }: StatusState): number {
  const shown = [...Object.values(page), ...Object.values(components), ...Object.values(incidents)];
  return Math.max(...shown.map(({ updatedAt }) => updatedAt));
}

/** RFC 3339 with three decimals; the page's time zone is UTC. */
function formatInstant(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
