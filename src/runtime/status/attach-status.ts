// The status summary of a query service: its paths are forwarded to the status service, which gets reports from the moment it
// listens. The service is one of this machine, or one that several programs report to.
import type { FastifyInstance } from 'fastify';
import { addStatusForwarding, type FindStatusService } from '../../http/status/forward-status.ts';
import type { ServingPlace } from '../../http/status/status-control-routes.ts';
import { readStartMark } from '../../store/embedded/running-process.ts';
import type { Logger } from '../process/log.ts';
import type { Settings } from '../settings/load-settings.ts';
import { readRemoteStatus } from './remote-status.ts';
import { openRemoteStatusLink } from './remote-status-link.ts';
import { type ReportStatusOptions, reportStatus } from './report-status.ts';
import type { ImportObserver } from './signals/read-importer.ts';
import type { CountedMetrics } from './signals/request-signals.ts';
import { loadStatusRules } from './status-files.ts';
import { openStatusLink, type StatusLink, stopLeftOver } from './status-link.ts';

export type AttachedStatus = {
  /** Where the service listens, once it does. */
  find: FindStatusService;
  /** To be called when the service listens. */
  begin(place: Pick<ServingPlace, 'host' | 'port' | 'url'>): void;
  /** This process is going to end: what it answers from now on is no sign of trouble. */
  leave(): Promise<void>;
  /** Leaves where that was not done. */
  close(): Promise<void>;
};

export type AttachStatusOptions = {
  /** null: other processes answer the requests, and this one reports for them. */
  app: FastifyInstance | null;
  settings: Settings;
  log: Logger;
  networkName: string;
  registry: CountedMetrics;
} & Pick<ReportStatusOptions, 'connectionString' | 'observer'> &
  Pick<NonNullable<ReportStatusOptions['serving']>, 'connections' | 'selfTest'>;

/** Of a separate import. */
export type AttachImportOptions = { settings: Settings; log: Logger; networkName: string } & {
  connectionString: string;
  observer: ImportObserver;
};

export type AttachedImportStatus = { close(): Promise<void> };

/** Reports to the service that a setting names; without one the heartbeat in the database is all that an import says. */
export function attachImportStatus(options: AttachImportOptions): AttachedImportStatus {
  const { settings, log, networkName, connectionString, observer } = options;
  const remote = readRemoteStatus(settings);
  if (!remote) return { async close() {} };
  const link = openRemoteStatusLink({ remote, kind: 'import', networkName, log });
  const end = new AbortController();
  const { timings } = loadStatusRules(settings);
  const reporting = reportStatus({
    ...{ link, timings, place: null, serving: null, connectionString, observer, log, signal: end.signal },
  });
  return {
    async close() {
      end.abort();
      await reporting;
      await link.leave(null);
      await link.close();
    },
  };
}

const outliveSeconds = 3600;

/** Resolves when no status service that was left behind holds the port any more. */
export async function attachStatus(options: AttachStatusOptions): Promise<AttachedStatus> {
  const { app, settings, log, networkName, registry, connections, selfTest, ...reported } = options;
  const serving = { registry, connections, selfTest };
  if (settings.get('status-service') === 'off')
    return { find: () => null, begin() {}, async leave() {}, async close() {} };
  const { timings } = loadStatusRules(settings);
  const link = await openLink();
  if (app) addStatusForwarding(app, link.find);
  const end = new AbortController();
  let reporting: Promise<void> | null = null;
  let place: ServingPlace | null = null;
  let leaving: Promise<void> | null = null;
  const leave = (): Promise<void> => {
    leaving ??= (async () => {
      end.abort();
      await reporting;
      await link.leave(place);
    })();
    return leaving;
  };
  return {
    find: link.find,
    begin(listening) {
      place = { ...listening, pid: process.pid, started: readStartMark(process.pid) };
      reporting = reportStatus({ ...reported, serving, link, timings, place, log, signal: end.signal });
    },
    leave,
    async close() {
      await leave();
      await link.close();
    },
  };

  async function openLink(): Promise<StatusLink> {
    const remote = readRemoteStatus(settings);
    if (!remote) return openStatusLink({ settings, log, networkName, outliveSeconds });
    await stopLeftOver(settings, log);
    return openRemoteStatusLink({ remote, kind: 'serve', networkName, log });
  }
}
