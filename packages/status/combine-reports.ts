// Reports of several processes as one: a greater value is worse, so the greatest of the fresh ones counts.
import type { SignalReport } from './take-signals.ts';

export type ReportBoard = {
  /** Returns everything known after this report. */
  take(source: string, report: SignalReport, now: number): SignalReport;
  /** Its last report no longer counts. */
  drop(source: string): void;
};

/** @param freshMs how long a report counts */
export function createReportBoard(freshMs: number): ReportBoard {
  const reports = new Map<string, { at: number; report: SignalReport }>();
  return {
    take(source, report, now) {
      reports.set(source, { at: now, report });
      for (const [other, { at }] of reports) if (now - at > freshMs) reports.delete(other);
      return combine([...reports.values()].map((each) => each.report));
    },
    drop: (source) => void reports.delete(source),
  };
}

function combine(reports: readonly SignalReport[]): SignalReport {
  const combined: SignalReport = { values: {}, facts: {} };
  for (const { values, facts } of reports) {
    for (const [name, text] of Object.entries(facts)) if (!(name in combined.facts)) combined.facts[name] = text;
    for (const [name, value] of Object.entries(values)) {
      const known = combined.values[name];
      if (known !== undefined && known >= value) continue;
      combined.values[name] = value;
      // The text belongs to the value.
      if (name in facts) combined.facts[name] = facts[name]!;
    }
  }
  return combined;
}
