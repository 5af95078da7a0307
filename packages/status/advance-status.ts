// One tick: signals → components → maintenances → incidents → days. A pure function of state, rules and instant.
import { judgeComponents } from './judge-components.ts';
import { keepDays, keepPoints } from './keep-history.ts';
import { keepIncidents } from './keep-incidents.ts';
import { keepMaintenances } from './keep-maintenances.ts';
import { showComponents } from './show-components.ts';
import { createStateEditor } from './state-editor.ts';
import type { StatusRules } from './status-rules.ts';
import type { StatusState } from './status-state.ts';

/** A tick may be late by this many intervals before the time in between counts as not watched. */
const lateTicks = 3;

/** @param now ms since 1970; an instant before the last one changes nothing but what is shown */
export function advanceStatus(state: StatusState, rules: StatusRules, now: number): StatusState {
  const { timings } = rules;
  const lastTick = state.counters.tick ?? now;
  const passedMs = Math.max(0, now - lastTick);
  const moment = { now, watchedMs: passedMs > timings.tickMs * lateTicks ? 0 : passedMs };
  const editor = createStateEditor(state);
  // The time until now was spent in the states shown until now.
  keepDays(editor, lastTick, moment);
  judgeComponents(editor, rules, moment);
  keepMaintenances(editor, timings, moment);
  showComponents(editor, moment);
  keepIncidents(editor, rules, moment);
  keepPoints(editor, timings.staleMs, moment);
  // A clock that was set back continues from its present time.
  editor.put('counters', 'tick', now);
  return editor.state;
}
