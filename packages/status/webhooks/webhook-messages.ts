// Changes since the last announcement as messages in Statuspage's form: one for each component with another status, one
// for each incident or maintenance with a new update.
import { createIdentifier } from '../create-identifier.ts';
import { listComponents } from '../shown.ts';
import type { ComponentRecord, ComponentStatus, IncidentRecord, StatusState } from '../status-state.ts';
import { componentBody, incidentBody, statusBody } from '../summary-bodies.ts';

/** By id: the status of each component, and the last step of each incident. */
export type Announced = { components: Record<string, ComponentStatus>; incidents: Record<string, string> };

export type WebhookMessage = {
  /** Its subject and step; the same change has the same key. */
  key: string;
  componentIds: string[];
  /** JSON members */
  body: Record<string, unknown>;
};

/** Groups are not announced: each of their components is. */
export function toAnnounced(state: StatusState): Announced {
  const components = Object.values(state.components).filter(({ group }) => !group);
  return {
    components: Object.fromEntries(components.map(({ id, status }) => [id, status])),
    incidents: Object.fromEntries(Object.values(state.incidents).map((incident) => [incident.id, toStep(incident)])),
  };
}

/** Oldest first. */
export function listMessages(state: StatusState, before: Announced): WebhookMessage[] {
  const components = listComponents(state)
    .filter(({ id, group, status }) => !group && (before.components[id] ?? status) !== status)
    .map((component) => toComponentMessage(state, component, before.components[component.id]!));
  const incidents = Object.values(state.incidents)
    .filter((incident) => before.incidents[incident.id] !== toStep(incident))
    .toSorted((a, b) => a.updatedAt - b.updatedAt)
    .map((incident) => toIncidentMessage(state, incident));
  return [...components, ...incidents];
}

/** A test message, in the form of the others. */
export function createTestMessage(state: StatusState, now: number): WebhookMessage {
  return { key: `test/${now}`, componentIds: [], body: { ...toEnvelope(state, now), test: true } };
}

function toStep({ updates, status, impact }: IncidentRecord): string {
  return `${updates[0]?.id ?? ''}/${status}/${impact}`;
}

function toComponentMessage(
  state: StatusState,
  component: ComponentRecord,
  oldStatus: ComponentStatus,
): WebhookMessage {
  const { id, status, updatedAt } = component;
  const key = `component/${id}/${updatedAt}/${oldStatus}/${status}`;
  return {
    key,
    componentIds: [id],
    body: {
      ...toEnvelope(state, updatedAt),
      component_update: {
        id: createIdentifier(key),
        created_at: new Date(updatedAt).toISOString(),
        old_status: oldStatus,
        new_status: status,
        component_id: id,
      },
      component: componentBody(state, component),
    },
  };
}

function toIncidentMessage(state: StatusState, incident: IncidentRecord): WebhookMessage {
  return {
    key: `incident/${incident.id}/${toStep(incident)}`,
    componentIds: incident.componentIds,
    body: { ...toEnvelope(state, incident.updatedAt), incident: incidentBody(state, incident) },
  };
}

function toEnvelope(state: StatusState, at: number): Record<string, unknown> {
  const { indicator, description } = statusBody(state);
  const { id, url } = state.page.page!;
  return {
    meta: { generated_at: new Date(at).toISOString(), documentation: url },
    page: { id, status_indicator: indicator, status_description: description },
  };
}
