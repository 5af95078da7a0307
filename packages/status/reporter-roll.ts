// The programs on other machines that report, and which of them were lost: their connection ended, or their reports
// stopped, without notice.

export type ReporterKind = 'serve' | 'import';

export type Reporter = { name: string; kind: ReporterKind; heardAt: number; isLost: boolean };

export type ReporterRoll = {
  /** false = there is no room for another one. */
  note(name: string, kind: ReporterKind, now: number): boolean;
  /** Its connection has ended. */
  lose(name: string): void;
  /** It ended in order, or an operator no longer waits for it. Returns whether it was listed. */
  forget(name: string): boolean;
  /** By name. */
  list(now: number): Reporter[];
};

export type ReporterRollOptions = {
  /** After this time without a report, a reporter is lost. */
  freshMs: number;
};

/** How long a lost one is listed. */
const missedMs = 3_600_000;
const maxReporters = 1000;

export function createReporterRoll({ freshMs }: ReporterRollOptions): ReporterRoll {
  const reporters = new Map<string, Reporter>();

  function dropOld(now: number): void {
    for (const [name, { heardAt }] of reporters) if (now - heardAt > missedMs) reporters.delete(name);
  }

  return {
    note(name, kind, now) {
      if (!reporters.has(name) && reporters.size >= maxReporters) {
        dropOld(now);
        if (reporters.size >= maxReporters) return false;
      }
      reporters.set(name, { name, kind, heardAt: now, isLost: false });
      return true;
    },
    lose(name) {
      const reporter = reporters.get(name);
      if (reporter) reporters.set(name, { ...reporter, isLost: true });
    },
    forget: (name) => reporters.delete(name),
    list(now) {
      dropOld(now);
      return [...reporters.values()]
        .map((reporter) => ({ ...reporter, isLost: reporter.isLost || now - reporter.heardAt > freshMs }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}
