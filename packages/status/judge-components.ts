// Signals → measured states. A problem has to last before it counts, and to be absent for longer before it is over; an
// intermittent one fills its hold time more slowly. With too old data a component is unknown: degraded, never
// operational.
import type { StateEditor } from './state-editor.ts';
import { type StatusComponent, statusComponents } from './status-components.ts';
import type { LevelRule, StatusRules, TroubleLevel } from './status-rules.ts';
import type { ComponentRecord, RuleState, StatusState } from './status-state.ts';

export type Moment = {
  /** ms since 1970 */
  now: number;
  /** ms since the last tick in which this service watched. */
  watchedMs: number;
};

/** How fast the hold time empties, compared with filling. */
const leak = 1 / 3;

export function judgeComponents(editor: StateEditor, rules: StatusRules, moment: Moment): void {
  for (const [name, rule] of Object.entries(rules.levels)) judgeRule(editor, name, rule, rules, moment);
  for (const definition of statusComponents) {
    const component = editor.state.components[definition.key];
    if (component && !component.group) judgeComponent(editor, definition, component, rules, moment);
  }
}

const severity: Record<ComponentRecord['measured'], number> = {
  operational: 0,
  under_maintenance: 0,
  degraded_performance: 1,
  partial_outage: 2,
  major_outage: 3,
};

export function isWorse(a: ComponentRecord['measured'], b: ComponentRecord['measured']): boolean {
  return severity[a] > severity[b];
}

type ActiveRule = { rule: LevelRule; state: RuleState };

/** The worst active rule of a component; null without one. */
export function findWorstRule(state: StatusState, key: string, levels: StatusRules['levels']): ActiveRule | null {
  let worst: ActiveRule | null = null;
  for (const active of listActiveRules(state, key, levels)) {
    if (worst === null || isWorse(active.rule.level, worst.rule.level)) worst = active;
  }
  return worst;
}

/** Whether a component's problem persists and is of a kind that opens incidents: not once its signals are normal. */
export function isAtHand(
  state: StatusState,
  { key, unknown }: ComponentRecord,
  levels: StatusRules['levels'],
): boolean {
  const active = listActiveRules(state, key, levels);
  // A normal signal fills the leave time.
  return unknown || active.some(({ rule, state: { charge } }) => rule.opensIncident !== false && charge === 0);
}

function listActiveRules({ rules }: StatusState, key: string, levels: StatusRules['levels']): ActiveRule[] {
  return Object.entries(levels).flatMap(([name, rule]) => {
    const state = rules[name];
    return rule.component === key && state?.active ? [{ rule, state }] : [];
  });
}

function judgeRule(editor: StateEditor, name: string, rule: LevelRule, { timings }: StatusRules, moment: Moment): void {
  const reading = editor.state.readings[rule.signal];
  // A signal that is unknown does not change.
  if (!reading || moment.now - reading.at > timings.staleMs) return;
  const before: RuleState = editor.state.rules[name] ?? { charge: 0, active: false };
  const { charge, active } = before;
  const { watchedMs } = moment;
  const next = active ? leave(rule, reading.value, charge, watchedMs) : enter(rule, reading.value, charge, watchedMs);
  // The reason names the value that activated and kept the rule, not the normal ones after it.
  if (next.active && reading.value >= rule.exitBelow) {
    next.value = reading.value;
    next.fact = editor.state.facts[rule.signal] ?? '';
  } else if (next.active) Object.assign(next, { value: before.value, fact: before.fact });
  if (next.charge !== charge || next.active !== active || next.value !== before.value || next.fact !== before.fact) {
    editor.put('rules', name, next);
  }
}

function enter({ enterAt, holdMs }: LevelRule, value: number, charge: number, watchedMs: number): RuleState {
  if (value < enterAt) return { charge: Math.max(0, charge - watchedMs * leak), active: false };
  const filled = charge + watchedMs;
  return filled >= holdMs ? { charge: 0, active: true } : { charge: filled, active: false };
}

function leave({ exitBelow, leaveMs }: LevelRule, value: number, charge: number, watchedMs: number): RuleState {
  if (value >= exitBelow) return { charge: 0, active: true };
  const filled = charge + watchedMs;
  return filled >= leaveMs ? { charge: 0, active: false } : { charge: filled, active: true };
}

function judgeComponent(
  editor: StateEditor,
  { key, needs }: StatusComponent,
  component: ComponentRecord,
  { levels, timings }: StatusRules,
  { now }: Moment,
): void {
  const worst = findWorstRule(editor.state, key, levels);
  const isUnknown = worst === null && needs.some((signal) => now - instantOf(editor.state, signal) > timings.staleMs);
  const measured: TroubleLevel | 'operational' =
    worst?.rule.level ?? (isUnknown ? 'degraded_performance' : 'operational');
  const reason = worst ? formatReason(worst) : isUnknown ? 'no fresh data about it' : null;
  if (measured === component.measured && reason === component.reason && isUnknown === component.unknown) return;
  editor.put('components', key, { ...component, measured, reason, unknown: isUnknown });
}

function instantOf({ readings }: StatusState, signal: string): number {
  return readings[signal]?.at ?? Number.NEGATIVE_INFINITY;
}

const placeholders: Record<string, (value: number, fact: string) => string> = {
  '{seconds}': (value) => formatSeconds(value),
  '{percent}': (value) => `${Number((value * 100).toPrecision(2))} %`,
  '{fact}': (_value, fact) => fact,
};

function formatReason({ rule, state: { value = 0, fact = '' } }: ActiveRule): string {
  return rule.reason.replace(/\{\w+\}/g, (name) => placeholders[name]?.(value, fact) ?? name).trim();
}

function formatSeconds(ms: number): string {
  const seconds = ms / 1000;
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} hours`;
  if (seconds >= 600) return `${Math.floor(seconds / 60)} minutes`;
  return `${seconds >= 10 ? Math.round(seconds) : Number(seconds.toPrecision(2))} s`;
}
