// Holds the state, advances it by the clock, reports and operators, and writes every change to disk. An operator's
// change is on disk before it is answered; changes by a tick are shown even if the disk is full.
import { createBackOff } from '../kit/back-off.ts';
import { advanceStatus } from './advance-status.ts';
import { OperatorError } from './operator-error.ts';
import { type StatusPageSettings, setUpStatus } from './set-up-status.ts';
import { createStateEditor, type StateTable } from './state-editor.ts';
import type { StatusJournal } from './status-journal.ts';
import type { StatusRules } from './status-rules.ts';
import { type StatusState, writeProblemFact } from './status-state.ts';
import { dropSignals, type SignalReport, takeSignals } from './take-signals.ts';

export type StatusServiceOptions = {
  journal: StatusJournal;
  rules: StatusRules;
  page: StatusPageSettings;
  /** ms since 1970 */
  clock(): number;
  /** After each change, with the new state. */
  onChange(state: StatusState): void;
  /** A failed write: reported once, and again after 1, 2, 4 … minutes while it lasts. */
  onProblem(error: Error): void;
  /** Whether the disk has room for more than the next line: only then writing has recovered. */
  hasRoom(): boolean;
  /** Everything is on disk again. */
  onRecovered(): void;
};

export type StatusService = {
  state(): StatusState;
  /** Advances everything to the current instant. */
  tick(): void;
  report(report: SignalReport): void;
  /** Drops the values of these signals: until a new report they are unknown. */
  forget(isForgotten: (signal: string, reading: { at: number }) => boolean): void;
  /** The public address of the page. */
  setPageUrl(url: string): void;
  /** An operator's change; throws errors of `make`, and if it could not be written. */
  change<R>(make: (state: StatusState, now: number) => { state: StatusState; record: R }): R;
};

/** Changes of these survive a crash of the machine as well as of the process. */
const precious: readonly StateTable[] = ['page', 'components', 'incidents', 'changes'];

export function createStatusService(options: StatusServiceOptions): StatusService {
  const { journal, rules, clock, onChange, onProblem, hasRoom, onRecovered } = options;
  let { page } = options;
  let state = journal.state;
  let written = state;
  const pauses = createBackOff(60_000, 3_600_000);
  /** While writing fails: when the next failure is reported. */
  let reportAt: number | null = null;
  // The time since the last tick of an earlier process counts as not watched.
  show(setUpStatus(state, page, clock()));

  function write(next: StatusState): void {
    try {
      journal.append(written, next, isPrecious(next));
    } catch (error) {
      fail(error as Error);
      throw error;
    }
    written = next;
    if (reportAt === null || !hasRoom()) return;
    reportAt = null;
    pauses.reset();
    onRecovered();
  }

  function fail(error: Error): void {
    const now = clock();
    if (reportAt !== null && now < reportAt) return;
    reportAt = now + pauses.next();
    onProblem(error);
  }

  /** The page shows it as well. */
  function markFailing(error: Error | null): void {
    const editor = createStateEditor(state);
    editor.put('facts', writeProblemFact, error === null ? '' : error.message);
    state = editor.state;
  }

  function isPrecious(next: StatusState): boolean {
    return precious.some((table) => written[table] !== next[table]);
  }

  /** Changes that only advance times are written with the next tick. */
  function show(next: StatusState, mayWait = false): void {
    if (next === state) return;
    state = next;
    try {
      if (!mayWait || isPrecious(next)) {
        write(next);
        if (reportAt === null && state.facts[writeProblemFact]) markFailing(null);
      }
    } catch (error) {
      // It is shown from memory, and written with the next change.
      markFailing(error as Error);
    }
    onChange(state);
  }

  return {
    state: () => state,
    tick: () => show(advanceStatus(state, rules, clock())),
    report(report) {
      const now = clock();
      const taken = setUpStatus(takeSignals(state, report, now), page, now);
      show(advanceStatus(taken, rules, now), true);
    },
    forget(isForgotten) {
      show(advanceStatus(dropSignals(state, isForgotten), rules, clock()));
    },
    setPageUrl(url) {
      page = { ...page, url };
      show(setUpStatus(state, page, clock()));
    },
    change(make) {
      const { state: next, record } = make(state, clock());
      try {
        write(next);
      } catch (error) {
        const reason = (error as Error).message;
        throw new OperatorError('notWritten', `Nothing was changed: the status cannot be written to disk (${reason}).`);
      }
      show(next);
      return record;
    },
  };
}
