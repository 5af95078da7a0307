// The whole state of the status summary as one plain value. It is never changed in place: a changed record is a new
// object under the same key, and the journal writes exactly those.

/** From best to worst, as a reader would sort them. */
export const componentStatuses = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;
export type ComponentStatus = (typeof componentStatuses)[number];

/** From best to worst. */
export const impacts = ['none', 'maintenance', 'minor', 'major', 'critical'] as const;
export type Impact = (typeof impacts)[number];

export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const;
export const maintenanceStatuses = ['scheduled', 'in_progress', 'verifying', 'completed'] as const;
export type IncidentStatus = (typeof incidentStatuses)[number] | (typeof maintenanceStatuses)[number];

export type PageRecord = {
  /** 12 characters, as all ids here. */
  id: string;
  name: string;
  /** Address of the HTML page, e.g. `http://127.0.0.1:5551/status`; links to incidents begin with it. */
  url: string;
  /** e.g. `Etc/UTC` */
  timeZone: string;
  /** Network in words, e.g. `Hedera Testnet`. */
  networkTitle: string;
  /** ms since 1970, as all instants here. */
  createdAt: number;
  updatedAt: number;
};

export type ComponentRecord = {
  id: string;
  /** The automation's name for it. Groups have one, too. */
  key: string;
  name: string;
  description: string | null;
  /** 1, 2, … over the whole page: a group, then its children. */
  position: number;
  /** true: it shows the worst status of its children. */
  group: boolean;
  groupId: string | null;
  /** Shown: the state set by an operator, else maintenance, else the measured one. */
  status: ComponentStatus;
  /** What was measured, also during maintenance. */
  measured: ComponentStatus;
  /** Why the measured status is not operational, in words; null if it is. */
  reason: string | null;
  /** No fresh data: then `measured` is degraded_performance. */
  unknown: boolean;
  /** Set by an operator; it holds until it is released. */
  override: {
    status: ComponentStatus;
    by: string;
    at: number;
    /** The best measured status since: a worse outage came later and is not covered. */
    measured?: ComponentStatus;
  } | null;
  /** An operator has deleted the incident of the current problem: no new one is opened for it. */
  isDismissed?: boolean;
  /** ms for which the component has had a problem, counted only while this service ran. */
  troubleMs: { degraded: number; outage: number };
  /** When the current problem began; null while there is none. */
  troubleSince: number | null;
  createdAt: number;
  updatedAt: number;
};

export type AffectedComponent = {
  /** Id of the component. */
  code: string;
  /** `Group - Component` */
  name: string;
  oldStatus: ComponentStatus;
  newStatus: ComponentStatus;
};

export type IncidentUpdate = {
  id: string;
  status: IncidentStatus;
  body: string;
  createdAt: number;
  updatedAt: number;
  displayAt: number;
  /** null if no component was affected. */
  affectedComponents: AffectedComponent[] | null;
  /** Author; `automatic` is the automation. */
  by: string;
};

export type IncidentRecord = {
  id: string;
  kind: 'incident' | 'maintenance';
  name: string;
  status: IncidentStatus;
  impact: Impact;
  createdAt: number;
  updatedAt: number;
  startedAt: number;
  monitoringAt: number | null;
  resolvedAt: number | null;
  componentIds: string[];
  /** Newest first. */
  updates: IncidentUpdate[];
  /** Only maintenances have these. */
  scheduledFor: number | null;
  scheduledUntil: number | null;
  /** Key of the component that an automatic incident began with; null if a person opened it. */
  cause: string | null;
  /** The operator who took it over: the automation does not change it until it is released. */
  heldBy: string | null;
  /** A cancelled maintenance; its status is `completed`. */
  isCancelled?: boolean;
  /** ms without a problem so far, while `monitoring`. */
  cleanMs: number;
};

/** How one component spent one day. */
export type DayRecord = {
  componentId: string;
  /** `2026-11-21`, in UTC. */
  date: string;
  /**
   * Seconds in each state; `no_data` while nothing was known or this service did not run. Less than a day's while it
   * runs.
   */
  seconds: Record<ComponentStatus | 'no_data', number>;
};

/** Five minutes of the charts; null if nothing was measured. */
export type ChartPoint = {
  /** Start of the five minutes. */
  at: number;
  /** Largest time from consensus to import. */
  lagMs: number | null;
  /** Largest 95th percentile of a minute's answers. */
  p95Ms: number | null;
  /** Largest share of answers that failed, 0 to 1. */
  errorShare: number | null;
};

/** A change and its author, stored for operators. */
type ChangeRecord = {
  number: number;
  at: number;
  by: string;
  /** e.g. `component`, `incident` */
  what: string;
  id: string;
  name: string;
  old: Record<string, unknown> | null;
  new: Record<string, unknown> | null;
};

/** One measured value and when it was taken. */
type ReadingRecord = { at: number; value: number };

export type RuleState = {
  /** Filled ms of its hold time, or once it is active of its leave time. */
  charge: number;
  active: boolean;
  /** While active: the last value that kept it so, and its text. */
  value?: number;
  fact?: string;
};

export type StatusState = {
  /** Under the one key `page`. */
  page: Record<string, PageRecord>;
  /** By key. */
  components: Record<string, ComponentRecord>;
  /** Incidents and maintenances by id. */
  incidents: Record<string, IncidentRecord>;
  /** By `<date>/<component id>`. */
  days: Record<string, DayRecord>;
  /** By start, as text. The last 24 hours. */
  points: Record<string, ChartPoint>;
  /** By number, as text. */
  changes: Record<string, ChangeRecord>;
  /** Newest value of each signal. */
  readings: Record<string, ReadingRecord>;
  rules: Record<string, RuleState>;
  /** Texts of the signals, such as the network's version or the reason why the import halted. */
  facts: Record<string, string>;
  /** `tick`: when the state was last advanced. `number`: the last number assigned. */
  counters: Record<string, number>;
};

/** Fact: why the state itself cannot be written; empty or absent if it can. */
export const writeProblemFact = 'status.writeFails';

export function emptyState(): StatusState {
  return {
    page: {},
    components: {},
    incidents: {},
    days: {},
    points: {},
    changes: {},
    readings: {},
    rules: {},
    facts: {},
    counters: {},
  };
}
