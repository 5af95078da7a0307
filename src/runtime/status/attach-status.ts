// The status summary of a query service: its paths are forwarded to the status service, and from the moment it listens the
// service is told how things are.
import type { FastifyInstance } from 'fastify';
import { addStatusForwarding, type FindStatusService } from '../../http/status/forward-status.ts';
import type { ServingPlace } from '../../http/status/status-control-routes.ts';
import { readStartMark } from '../../store/embedded/running-process.ts';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings/load-settings.ts';
import { loadStatusRules } from './load-status-rules.ts';
import { type ReportStatusOptions, reportStatus } from './report-status.ts';
import type { CountedMetrics } from './signals/request-signals.ts';
import { openStatusLink } from './status-link.ts';

export type AttachedStatus = {
  /** Where the service listens, once it does. */
  find: FindStatusService;
  /** To be called when the service listens. */
  begin(place: Pick<ServingPlace, 'host' | 'port' | 'url'>): void;
  close(): Promise<void>;
};

export type AttachStatusOptions = {
  /** null: other processes answer the requests, and this one reports for them. */
  app: FastifyInstance | null;
  settings: Settings;
  log: Logger;
  networkName: string;
  registry: CountedMetrics;
} & Pick<ReportStatusOptions, 'connectionString' | 'connections' | 'observer' | 'selfTest'>;

const outliveSeconds = 3600;

/** Resolves when no status service that was left behind holds the port any more. */
export async function attachStatus(options: AttachStatusOptions): Promise<AttachedStatus> {
  const { app, settings, log, networkName, ...reported } = options;
  if (settings.get('status-service') === 'off') return { find: () => null, begin() {}, async close() {} };
  const { timings } = loadStatusRules(settings);
  const link = await openStatusLink({ settings, log, networkName, outliveSeconds });
  if (app) addStatusForwarding(app, link.find);
  const end = new AbortController();
  let reporting: Promise<void> | null = null;
  let place: ServingPlace | null = null;
  return {
    find: link.find,
    begin(listening) {
      place = { ...listening, pid: process.pid, started: readStartMark(process.pid) };
      reporting = reportStatus({ ...reported, link, timings, place, log, signal: end.signal });
    },
    async close() {
      end.abort();
      await reporting;
      await link.close(place);
    },
  };
}
