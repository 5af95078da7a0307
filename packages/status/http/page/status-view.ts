// The data of the status page, its feeds and its badges: the records of the status summary, selected and in display
// order.
import type { OverallStatus } from '../../overall-status.ts';
import { asOf, listComponents, listIncidents } from '../../shown.ts';
import {
  type ChartPoint,
  type ComponentRecord,
  type IncidentRecord,
  type PageRecord,
  type StatusState,
  writeProblemFact,
} from '../../status-state.ts';
import { statusBody } from '../../summary-bodies.ts';
import { createPageTimes, type PageTimes } from './page-times.ts';
import { listUptimeDays, type UptimeDay } from './uptime-days.ts';

export type StatusView = {
  page: PageRecord;
  overall: OverallStatus;
  /** When the oldest of the signals that components need came in, ms since 1970; null before all have. */
  asOf: number | null;
  /** ms since 1970 */
  now: number;
  /** In the page's time zone. */
  times: PageTimes;
  /** Why the status service cannot write to its disk; null if it can. */
  writeProblem: string | null;
  /** By position. */
  components: ComponentRecord[];
  /** All that are stored, newest first. */
  incidents: IncidentRecord[];
  maintenances: IncidentRecord[];
  /** Both, by their start, newest first. */
  history: IncidentRecord[];
  /** By component id, oldest day first, today last. Groups have none. */
  uptimeDays: ReadonlyMap<string, UptimeDay[]>;
  /** The last day, oldest first. */
  points: ChartPoint[];
};

export function toStatusView(state: StatusState, now: number): StatusView {
  const components = listComponents(state);
  const incidents = listIncidents(state, 'incident');
  const maintenances = listIncidents(state, 'maintenance');
  const leaves = components.filter(({ group }) => !group);
  return {
    page: state.page.page!,
    overall: statusBody(state),
    asOf: asOf(state),
    now,
    times: createPageTimes(state.page.page!.timeZone),
    writeProblem: state.facts[writeProblemFact] || null,
    components,
    incidents,
    maintenances,
    history: [...incidents, ...maintenances].toSorted((a, b) => findStart(b) - findStart(a)),
    uptimeDays: new Map(leaves.map((component) => [component.id, listUptimeDays(state.days, component, now)])),
    points: Object.values(state.points).toSorted((a, b) => a.at - b.at),
  };
}

/** Neither resolved nor completed. */
export function isOpen({ status }: IncidentRecord): boolean {
  return !ended.has(status);
}

const ended = new Set(['resolved', 'postmortem', 'completed']);

/** A maintenance's planned start, an incident's start. ms since 1970. */
export function findStart({ scheduledFor, startedAt }: IncidentRecord): number {
  return scheduledFor ?? startedAt;
}

export function listNames({ components }: StatusView, { componentIds }: IncidentRecord): string[] {
  return components.filter(({ id }) => componentIds.includes(id)).map(({ name }) => name);
}

/** The public address of an incident's page. */
export function incidentLink({ page }: StatusView, { id }: IncidentRecord): string {
  return `${page.url}/incidents/${encodeURIComponent(id)}`;
}
