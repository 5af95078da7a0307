// The states of every component on each day, and the values of the last day in steps of five minutes. Time in which
// this service did not run, or in which nothing was known, is time without data and never operational.
import type { Moment } from './judge-components.ts';
import type { SignalName } from './signal-names.ts';
import type { StateEditor } from './state-editor.ts';
import type { ChartPoint, ComponentRecord, DayRecord } from './status-state.ts';

const dayMs = 86_400_000;
const pointMs = 300_000;
const pointsKeptMs = dayMs;
const daysKept = 400;

/** Adds the time since the last tick, of which only the end was watched. */
export function keepDays(editor: StateEditor, lastTick: number, { now, watchedMs }: Moment): void {
  // After a longer absence earlier days stay empty, which reads the same.
  const from = Math.max(lastTick, now - 90 * dayMs);
  for (const component of Object.values(editor.state.components)) {
    addTime(editor, component, 'no_data', from, now - watchedMs);
    addTime(editor, component, component.unknown ? 'no_data' : component.status, now - watchedMs, now);
  }
  const oldest = dateOf(now - daysKept * dayMs);
  for (const [key, { date }] of Object.entries(editor.state.days)) if (date < oldest) editor.remove('days', key);
}

/** `2026-11-21`, in UTC. */
function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function addTime(
  editor: StateEditor,
  { id }: ComponentRecord,
  state: keyof DayRecord['seconds'],
  from: number,
  until: number,
): void {
  for (let start = from; start < until; ) {
    const end = Math.min(until, (Math.floor(start / dayMs) + 1) * dayMs);
    const date = dateOf(start);
    const key = `${date}/${id}`;
    const day = editor.state.days[key] ?? { componentId: id, date, seconds: noSeconds };
    const seconds = { ...day.seconds, [state]: day.seconds[state] + (end - start) / 1000 };
    editor.put('days', key, { ...day, seconds });
    start = end;
  }
}

const noSeconds: DayRecord['seconds'] = {
  operational: 0,
  under_maintenance: 0,
  degraded_performance: 0,
  partial_outage: 0,
  major_outage: 0,
  no_data: 0,
};

const chartSignals = [
  ['lagMs', 'import.lagMs'],
  ['p95Ms', 'api.p95Ms'],
  ['errorShare', 'api.errorShare'],
] as const satisfies [keyof ChartPoint, SignalName][];

export function keepPoints(editor: StateEditor, staleMs: number, { now }: Moment): void {
  const at = Math.floor(now / pointMs) * pointMs;
  const before: ChartPoint = editor.state.points[at] ?? { at, lagMs: null, p95Ms: null, errorShare: null };
  const point = { ...before };
  // Without requests nothing was measured of them.
  const isAsked = editor.state.readings['api.requests']?.value !== 0;
  for (const [name, signal] of chartSignals) {
    const reading = editor.state.readings[signal];
    if (!reading || now - reading.at > staleMs || (signal !== 'import.lagMs' && !isAsked)) continue;
    point[name] = Math.max(point[name] ?? 0, reading.value);
  }
  const isChanged = chartSignals.some(([name]) => point[name] !== before[name]);
  if (isChanged) editor.put('points', String(at), point);
  for (const [key, { at: start }] of Object.entries(editor.state.points)) {
    if (start < now - pointsKeptMs - pointMs) editor.remove('points', key);
  }
}
