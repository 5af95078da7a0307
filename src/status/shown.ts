// Selections and orders of what is shown, the same for bodies, pages and feeds. Pure functions of the state.
import type { ComponentRecord, IncidentRecord, StatusState } from './status-state.ts';

export const incidentsShown = 50;

/** By position. */
export function listComponents({ components }: StatusState): ComponentRecord[] {
  return Object.values(components).sort((a, b) => a.position - b.position);
}

/** Newest first, whatever their state. */
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

/** The page for people of one incident. */
export function incidentUrl({ page }: StatusState, id: string): string {
  return `${page.page!.url}/incidents/${id}`;
}

/** ms since 1970: the oldest of the components' newest data; null while there is none. */
export function asOf({ readings }: StatusState): number | null {
  const instants = Object.values(readings).map(({ at }) => at);
  return instants.length === 0 ? null : Math.max(...instants);
}
