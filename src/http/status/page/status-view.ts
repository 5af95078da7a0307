// What the status page, its feeds and its badges are made from: the records of the status summary, selected and in the order
// in which they are shown. Nothing here is worked out by a page, and no page changes it.
import { type OverallStatus, overallStatus } from '../../../status/overall-status.ts';
import { asOf, isOpenIncident, listComponents, listIncidents } from '../../../status/shown.ts';
import {
  type ChartPoint,
  type ComponentRecord,
  type IncidentRecord,
  type PageRecord,
  type StatusState,
  writeProblemFact,
} from '../../../status/status-state.ts';
import { createPageTimes, type PageTimes } from './page-times.ts';
import { listUptimeDays, type UptimeDay } from './uptime-days.ts';

export type StatusView = {
  page: PageRecord;
  overall: OverallStatus;
  /** When the oldest of the signals that components stand on came in, ms since 1970; null before all have. */
  asOf: number | null;
  /** ms since 1970 */
  now: number;
  /** In the page's time zone. */
  times: PageTimes;
  /** Why the status service cannot write to its disk; null where it can. */
  writeProblem: string | null;
  /** By position. */
  components: ComponentRecord[];
  /** All that are kept, newest first. */
  incidents: IncidentRecord[];
  maintenances: IncidentRecord[];
  /** By component id, oldest day first, today last. Groups have none. */
  uptimeDays: ReadonlyMap<string, UptimeDay[]>;
  /** The last day, oldest first. */
  points: ChartPoint[];
};

export function toStatusView(state: StatusState, now: number): StatusView {
  const components = listComponents(state);
  const incidents = listIncidents(state, 'incident');
  const leaves = components.filter(({ group }) => !group);
  const openImpacts = incidents.filter(isOpenIncident).map(({ impact }) => impact);
  return {
    page: state.page.page!,
    overall: overallStatus(
      leaves.map(({ status }) => status),
      openImpacts,
    ),
    asOf: asOf(state),
    now,
    times: createPageTimes(state.page.page!.timeZone),
    writeProblem: state.facts[writeProblemFact] || null,
    components,
    incidents,
    maintenances: listIncidents(state, 'maintenance'),
    uptimeDays: new Map(leaves.map((component) => [component.id, listUptimeDays(state.days, component, now)])),
    points: Object.values(state.points).toSorted((a, b) => a.at - b.at),
  };
}

/** Whether it still matters: neither resolved nor completed. */
export function isOpen({ status }: IncidentRecord): boolean {
  return !ended.has(status);
}

const ended = new Set(['resolved', 'postmortem', 'completed']);

/** When it began to matter: a maintenance when it is planned for, an incident when it started. ms since 1970. */
export function findStart({ scheduledFor, startedAt }: IncidentRecord): number {
  return scheduledFor ?? startedAt;
}
