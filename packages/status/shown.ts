// Selection and order of what is shown, the same for bodies, pages and feeds.
import { statusComponents } from './status-components.ts';
import type { ComponentRecord, IncidentRecord, StatusState } from './status-state.ts';

export const incidentsShown = 50;

/** By position. */
export function listComponents({ components }: StatusState): ComponentRecord[] {
  return Object.values(components).sort((a, b) => a.position - b.position);
}

/** Newest first, in any state. */
export function listIncidents({ incidents }: StatusState, kind: IncidentRecord['kind']): IncidentRecord[] {
  return Object.values(incidents)
    .filter((incident) => incident.kind === kind)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

const openStatuses: readonly string[] = ['investigating', 'identified', 'monitoring'];

export function isOpenIncident({ kind, status }: IncidentRecord): boolean {
  return kind === 'incident' && openStatuses.includes(status);
}

export function isUpcoming({ kind, status }: IncidentRecord): boolean {
  return kind === 'maintenance' && status === 'scheduled';
}

export function isActiveMaintenance({ kind, status }: IncidentRecord): boolean {
  return kind === 'maintenance' && (status === 'in_progress' || status === 'verifying');
}

const endedStatuses: readonly string[] = ['resolved', 'postmortem', 'completed'];

/** Whether an incident or maintenance has ended. */
export function isOver({ status }: Pick<IncidentRecord, 'status'>): boolean {
  return endedStatuses.includes(status);
}

/** Whether one that goes on speaks of the component. */
export function coversComponent(incident: IncidentRecord, componentId: string): boolean {
  return (isOpenIncident(incident) || isActiveMaintenance(incident)) && incident.componentIds.includes(componentId);
}

/** The HTML page of one incident. */
export function incidentUrl({ page }: StatusState, id: string): string {
  return `${page.page!.url}/incidents/${id}`;
}

/** ms since 1970: the oldest of the signals that the components need; null before all have come in once. */
export function asOf({ components, readings }: StatusState): number | null {
  const needed = statusComponents.filter(({ key }) => key in components).flatMap(({ needs }) => needs);
  const instants = needed.map((signal) => readings[signal]?.at ?? Number.NEGATIVE_INFINITY);
  const oldest = Math.min(...instants);
  return Number.isFinite(oldest) ? oldest : null;
}
