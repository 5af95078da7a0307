// The states of a component on each of the last days. Every calendar day is listed; time without measurements is
// `no_data` and never counts as up. Days are in UTC, which has neither 23 nor 25 hours.
import type { ComponentRecord, ComponentStatus, DayRecord } from '../../status-state.ts';

export type DayState = ComponentStatus | 'no_data';

export type UptimeDay = {
  /** YYYY-MM-DD */
  date: string;
  /** Seconds in each state. They may exceed a day if the machine's clock was set back. */
  seconds: Partial<Record<DayState, number>>;
};

/** Worst first; the first one that occurred names the day. */
export const statesByWeight: readonly DayState[] = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
  'operational',
  'no_data',
];

const dayMs = 86_400_000;
const daysShown = 90;
/** Shorter gaps, such as after a restart, are not mentioned. */
const minGapSeconds = 600;

/** Oldest first, today last. Records of future days, from a clock that was ahead, are left out. */
export function listUptimeDays(
  records: Readonly<Record<string, DayRecord>>,
  { id, createdAt }: Pick<ComponentRecord, 'id' | 'createdAt'>,
  now: number,
  count: number = daysShown,
): UptimeDay[] {
  const today = Math.floor(now / dayMs) * dayMs;
  return Array.from({ length: count }, (_, index) => {
    const start = today - (count - 1 - index) * dayMs;
    const date = new Date(start).toISOString().slice(0, 10);
    const seconds: UptimeDay['seconds'] = records[`${date}/${id}`]?.seconds ?? {};
    // The time before the component existed is no gap.
    const watchable = Math.min(start + dayMs, now) - Math.max(start, Math.min(createdAt, now));
    const seen = Object.values(seconds).reduce((sum, each) => sum + each, 0);
    const gap = Math.max(0, Math.floor(watchable / 1000) - Math.round(seen));
    return { date, seconds: { ...seconds, no_data: (seconds.no_data ?? 0) + gap } };
  });
}

/**
 * The worst state of a day. Maintenance is not a problem, and time without data counts only if there is nothing else.
 */
export function findDayState({ seconds }: UptimeDay): DayState {
  return statesByWeight.find((state) => (seconds[state] ?? 0) > 0) ?? 'no_data';
}

/** Whether the day has an entry: a problem, maintenance, or a gap in the data. */
export function isEventful(day: UptimeDay): boolean {
  const state = findDayState(day);
  return state === 'operational' ? (day.seconds.no_data ?? 0) >= minGapSeconds : state !== 'no_data';
}

/** share: of the measured seconds, how many the component was up, 0 to 1. */
export type Uptime = { share: number; seconds: number };

/** Degraded counts as up, maintenance does not count at all. null if nothing was measured. */
export function calculateUptime(days: readonly UptimeDay[]): Uptime | null {
  let up = 0;
  let down = 0;
  for (const { seconds } of days) {
    up += (seconds.operational ?? 0) + (seconds.degraded_performance ?? 0);
    down += (seconds.partial_outage ?? 0) + (seconds.major_outage ?? 0);
  }
  return up + down > 0 ? { share: up / (up + down), seconds: up + down } : null;
}
