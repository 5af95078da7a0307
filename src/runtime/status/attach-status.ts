// The status summary of a query service: its paths are forwarded to the status service, which gets reports as soon as
// it listens. The service runs on this machine, or several programs report to one elsewhere.
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { readStartMark } from '../../../packages/postgres/embedded/running-process.ts';
import { addStatusForwarding } from '../../../packages/status/http/forward-status.ts';
import type { ServingPlace } from '../../../packages/status/http/status-control-routes.ts';
import type { Settings } from '../settings/load-settings.ts';
import { readRemoteStatus } from './remote-status.ts';
import { openRemoteStatusLink } from './remote-status-link.ts';
import { type ReportStatusOptions, reportStatus } from './report-status.ts';
import type { ImportObserver } from './signals/read-importer.ts';
import type { CountedMetrics } from './signals/request-signals.ts';
import { loadStatusRules } from './status-files.ts';
import { openStatusLink, type StatusLink, stopLeftOver } from './status-link.ts';

export type AttachedStatus = ReturnType<typeof reportOver>;

export type AttachStatusOptions = {
  /** null: other processes answer the requests, and this one reports for them. */
  app: FastifyInstance | null;
  settings: Settings;
  log: Logger;
  networkName: string;
  registry: CountedMetrics;
} & Pick<ReportStatusOptions, 'connectionString' | 'observer'> &
  Pick<NonNullable<ReportStatusOptions['serving']>, 'connections' | 'outcomes' | 'selfTest'>;

type AttachImportOptions = Pick<AttachStatusOptions, 'settings' | 'log' | 'networkName' | 'connectionString'> & {
  observer: ImportObserver;
};

/** For a separate import. null: without a configured service it reports only through the heartbeat in the database. */
export function attachImportStatus(options: AttachImportOptions): Pick<AttachedStatus, 'close'> | null {
  const { settings, log, networkName, connectionString, observer } = options;
  const remote = readRemoteStatus(settings);
  if (!remote) return null;
  const link = openRemoteStatusLink({ remote, kind: 'import', networkName, log });
  const { timings } = loadStatusRules(settings);
  const status = reportOver(link, { timings, serving: null, connectionString, observer, log });
  status.begin(null);
  return status;
}

const outliveSeconds = 3600;

/** Resolves when no status service that a killed mirror left behind holds the port any more. */
export async function attachStatus(options: AttachStatusOptions): Promise<AttachedStatus> {
  const { app, settings, log, networkName, connectionString, observer } = options;
  const { registry, connections, outcomes, selfTest } = options;
  if (settings.get('status-service') === 'off')
    return { find: () => null, begin() {}, async leave() {}, async close() {} };
  const { timings } = loadStatusRules(settings);
  const link = await openLink();
  if (app) addStatusForwarding(app, link.find);
  const serving = { registry, connections, outcomes, selfTest };
  return reportOver(link, { timings, serving, connectionString, observer, log });

  async function openLink(): Promise<StatusLink> {
    const remote = readRemoteStatus(settings);
    if (!remote) return openStatusLink({ settings, log, networkName, outliveSeconds });
    await stopLeftOver(settings, log);
    return openRemoteStatusLink({ remote, kind: 'serve', networkName, log });
  }
}

function reportOver(link: StatusLink, options: Omit<ReportStatusOptions, 'link' | 'place' | 'signal'>) {
  const end = new AbortController();
  let reporting: Promise<void> | null = null;
  let place: ServingPlace | null = null;
  let leaving: Promise<void> | null = null;
  /** This process is going to end: its answers from now on are no sign of trouble. */
  const leave = (): Promise<void> => {
    leaving ??= (async () => {
      end.abort();
      await reporting;
      await link.leave(place);
    })();
    return leaving;
  };
  return {
    /** Where the service listens, once it does. */
    find: link.find,
    /** To be called when this process answers queries, or with null if it answers none. */
    begin(listening: Pick<ServingPlace, 'host' | 'port' | 'url'> | null): void {
      place = listening && { ...listening, pid: process.pid, started: readStartMark(process.pid) };
      reporting = reportStatus({ ...options, link, place, signal: end.signal });
    },
    leave,
    /** Leaves if that was not done. */
    async close(): Promise<void> {
      await leave();
      await link.close();
    },
  };
}
