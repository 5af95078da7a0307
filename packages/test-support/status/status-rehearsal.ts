// The status summary without disk, network and waiting: a state, a clock that the test moves, and signals that keep
// their last value and are reported before every tick.
import { advanceStatus } from '../../status/advance-status.ts';
import { setUpStatus } from '../../status/set-up-status.ts';
import { listIncidents } from '../../status/shown.ts';
import type { Facts } from '../../status/signal-names.ts';
import { defaultStatusRules, type StatusRules } from '../../status/status-rules.ts';
import { type ComponentRecord, emptyState, type IncidentRecord, type StatusState } from '../../status/status-state.ts';
import { takeSignals } from '../../status/take-signals.ts';

export const calmSignals: Record<string, number> = {
  'api.down': 0,
  'api.errorShare': 0,
  'api.p95Ms': 5,
  'import.lagMs': 3000,
  'import.behindMs': 0,
  'import.silentMs': 1000,
  'import.halted': 0,
  'stream.broken': 0,
  'stream.gapMs': 0,
  'database.down': 0,
  'database.probeMs': 2,
  'network.silentMs': 2000,
};

export const page = { networkName: 'testnet', networkTitle: 'Hedera Testnet', url: 'http://127.0.0.1:5551/status' };

/** Noon: far from midnight. */
export const beginning = Date.UTC(2026, 10, 21, 12);

export type Rehearsal = {
  state: StatusState;
  now: number;
  /** Sets signals, and texts that explain them, and lets this many seconds pass, tick by tick. */
  pass(seconds: number, signals?: Record<string, number>, facts?: Facts): void;
  /** Stops reports until signals are set again. */
  fallSilent(seconds: number): void;
  /** A change by an operator. */
  say(change: (state: StatusState, now: number) => { state: StatusState }): void;
  component(key: string): ComponentRecord;
  incidents(): IncidentRecord[];
};

/** Begins with everything operational. */
export function createRehearsal(rules: StatusRules = defaultStatusRules): Rehearsal {
  let signals = { ...calmSignals };
  let facts: Facts = {};
  const tick = (reported: boolean): void => {
    rehearsal.now += rules.timings.tickMs;
    const heard = reported ? takeSignals(rehearsal.state, { values: signals, facts }, rehearsal.now) : rehearsal.state;
    rehearsal.state = advanceStatus(heard, rules, rehearsal.now);
  };
  const repeat = (seconds: number, reported: boolean): void => {
    const until = rehearsal.now + seconds * 1000;
    while (rehearsal.now < until) tick(reported);
  };
  const rehearsal: Rehearsal = {
    state: setUpStatus(emptyState(), page, beginning),
    now: beginning,
    pass(seconds, changed = {}, explained = {}) {
      signals = { ...signals, ...changed };
      facts = { ...facts, ...explained };
      repeat(seconds, true);
    },
    fallSilent: (seconds) => repeat(seconds, false),
    say(change) {
      rehearsal.state = change(rehearsal.state, rehearsal.now).state;
    },
    component: (key) => rehearsal.state.components[key]!,
    incidents: () => listIncidents(rehearsal.state, 'incident'),
  };
  rehearsal.pass(30);
  return rehearsal;
}
