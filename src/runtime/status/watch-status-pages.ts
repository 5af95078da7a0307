// Says in the log when processes that answer from one database report to different status services: then each page knows of
// its own processes alone, and what a client is shown depends on which one is asked.
import type { Logger } from '../process/log.ts';

export type StatusPagesWatch = {
  /** The service that took the last report; null before the first. */
  own(): string | null;
  look(own: string | null, others: readonly string[] | null): void;
};

export function watchStatusPages(log: Logger): StatusPagesWatch {
  let service: string | null = null;
  let told = 0;
  return {
    own: () => service,
    look(own, others) {
      service = own ?? service;
      if (others === null || others.length === told) return;
      if (others.length > told) {
        log.warn(
          `Processes that use this database report to ${others.length + 1} status services, so that their status pages differ. Let all of them report to one (--status-report-to), or share one --data-dir on one machine.`,
        );
      } else if (others.length === 0) log.info('All processes that use this database show the same status page');
      told = others.length;
    },
  };
}
