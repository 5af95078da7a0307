// Reports the state of this process's parts to the status service every few seconds.

import { pause } from '../../../packages/kit/pause.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { OutcomesTaken } from '../../../packages/kit/shares/client-outcomes.ts';
import type { ServingPlace } from '../../../packages/status/http/status-control-routes.ts';
import { everySignal } from '../../../packages/status/signal-names.ts';
import type { StatusTimings } from '../../../packages/status/status-rules.ts';
import { toConnectionSignals } from './signals/connection-signals.ts';
import { createDatabaseProbe } from './signals/database-signals.ts';
import { createCheckWaitSignals } from './signals/measure-checks.ts';
import { type ImportObserver, readImporter, readOwnImport } from './signals/read-importer.ts';
import { type CountedMetrics, createRequestSignals, createServingSignals } from './signals/request-signals.ts';
import { createStreamSignals } from './signals/stream-signals.ts';
import { createVerificationSignals } from './signals/verification-signals.ts';
import type { StatusLink } from './status-link.ts';

export type ReportStatusOptions = {
  link: StatusLink;
  timings: StatusTimings;
  connectionString: string;
  /** null = this process answers no queries. */
  place: ServingPlace | null;
  serving: {
    registry: CountedMetrics;
    /** Connections of the query service: maximum, and busy ones. */
    connections(): { max: number; busy: number };
    /** How requests ended since the last time. */
    outcomes(): OutcomesTaken;
    /** Throws if contracts cannot be verified. Resolves with how long a check takes, ms. */
    selfTest(): Promise<number>;
  } | null;
  /** null if another process imports. */
  observer: ImportObserver | null;
  log: Logger;
  signal: AbortSignal;
};

/** Until the signal. */
export async function reportStatus(options: ReportStatusOptions): Promise<void> {
  const { link, timings, place, serving, connectionString, observer, log, signal } = options;
  // The last minute, with the default times.
  const windowMs = timings.tickMs * 6;
  const requests = serving && createRequestSignals(serving.outcomes, windowMs);
  const processes = serving && createServingSignals(serving.registry);
  const checkWait = serving && createCheckWaitSignals(serving.registry);
  const database = createDatabaseProbe(connectionString);
  const stream = createStreamSignals({ windowMs, now: Date.now() });
  const pages = watchStatusPages(log);
  const verification =
    serving &&
    createVerificationSignals({
      selfTest: serving.selfTest,
      everyMs: timings.selfTestMs,
      retryMs: Math.min(timings.selfTestMs, windowMs),
      now: Date.now(),
    });
  try {
    while (!signal.aborted) {
      try {
        await report();
      } catch (error) {
        log.warn({ err: error }, 'The report to the status service is incomplete');
      }
      await pause(link.find() ? (link.everyMs() ?? timings.tickMs / 2) : 100, signal);
    }
  } finally {
    await database.close();
  }

  async function report(): Promise<void> {
    if (!link.find()) return;
    const now = Date.now();
    const [served, probed] = await Promise.all([processes?.(), database.probe(pages.own())]);
    const requestValues = requests?.(now);
    const verified = verification?.(now);
    const connections = serving?.connections();
    const imported = observer
      ? await readOwnImport(observer, now, stream.isLate(now) ? windowMs / 4 : null)
      : readImporter(probed.importer, probed.reachableMs);
    const streamed = stream.signals(now, probed.block, imported.source, imported.hasEnded);
    const taken = await link.report(
      {
        values: {
          ...requestValues,
          ...served?.values,
          ...probed.values,
          ...(connections && requestValues && toConnectionSignals(connections, requestValues['api.p95Ms'])),
          // Without a report of the import, new blocks are the only signal of the chain.
          ...(imported.isKnown || !stream.isFresh(now) ? {} : { 'stream.broken': 0 }),
          ...imported.values,
          ...streamed,
          ...everySignal<'verification'>()({ ...verified?.values, ...(await checkWait?.()) }),
        },
        facts: { ...served?.facts, ...probed.facts, ...imported.facts, ...stream.facts(), ...verified?.facts },
      },
      place,
    );
    pages.look(taken?.service ?? null, probed.otherPages);
  }
}

/** Warns if processes that answer from one database report to different status services, whose pages then differ. */
function watchStatusPages(log: Logger) {
  let service: string | null = null;
  let reported = 0;
  return {
    /** The service that accepted the last report; null before the first. */
    own: () => service,
    look(own: string | null, others: readonly string[] | null): void {
      service = own ?? service;
      if (others === null || others.length === reported) return;
      if (others.length > reported) {
        log.warn(
          `Processes that use this database report to ${others.length + 1} status services, so that their status pages differ. Let all of them report to one (--status-report-to), or share one --data-dir on one machine.`,
        );
      } else if (others.length === 0) log.info('All processes that use this database show the same status page');
      reported = others.length;
    },
  };
}
