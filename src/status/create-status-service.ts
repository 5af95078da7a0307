// The status summary at work: holds the state, moves it on by the clock and by what comes in, and puts every change on disk.
// Invariant: an operator's change is on disk before it is answered; what a tick changes is shown even if the disk is full.
import { advanceStatus } from './advance-status.ts';
import { type StatusPageSettings, setUpStatus } from './set-up-status.ts';
import type { StateTable } from './state-editor.ts';
import type { StatusJournal } from './status-journal.ts';
import type { StatusRules } from './status-rules.ts';
import type { StatusState } from './status-state.ts';
import { type SignalReport, takeSignals } from './take-signals.ts';

export type StatusServiceOptions = {
  journal: StatusJournal;
  rules: StatusRules;
  page: StatusPageSettings;
  /** ms since 1970 */
  clock(): number;
  /** After each change, with what is shown from now on. */
  onChange(state: StatusState): void;
  /** What could not be written. */
  onProblem(error: Error): void;
};

export type StatusService = {
  state(): StatusState;
  /** Brings everything to the present instant. */
  tick(): void;
  report(report: SignalReport): void;
  /** Where the page is, as the world sees it. */
  setPageUrl(url: string): void;
  /** A person's change; throws what `make` throws, and where it could not be written. */
  change<R>(make: (state: StatusState, now: number) => { state: StatusState; record: R }): R;
};

/** Changes of these outlast a crash of the machine as well as of the process. */
const precious: readonly StateTable[] = ['page', 'components', 'incidents', 'changes'];

export function createStatusService(options: StatusServiceOptions): StatusService {
  const { journal, rules, clock, onChange, onProblem } = options;
  let { page } = options;
  let state = journal.state;
  let written = state;
  // What the state was when this process began counts as not watched until now.
  show(setUpStatus(state, page, clock()));

  function write(next: StatusState): void {
    journal.append(written, next, isPrecious(next));
    written = next;
  }

  function isPrecious(next: StatusState): boolean {
    return precious.some((table) => written[table] !== next[table]);
  }

  /** What only moved on waits for the next tick to be written with the rest. */
  function show(next: StatusState, mayWait = false): void {
    if (next === state) return;
    state = next;
    try {
      if (!mayWait || isPrecious(next)) write(next);
    } catch (error) {
      onProblem(error as Error);
    }
    onChange(next);
  }

  return {
    state: () => state,
    tick: () => show(advanceStatus(state, rules, clock())),
    report(report) {
      const now = clock();
      const taken = setUpStatus(takeSignals(state, report, now), page, now);
      show(advanceStatus(taken, rules, now), true);
    },
    setPageUrl(url) {
      page = { ...page, url };
      show(setUpStatus(state, page, clock()));
    },
    change(make) {
      const { state: next, record } = make(state, clock());
      write(next);
      show(next);
      return record;
    },
  };
}
