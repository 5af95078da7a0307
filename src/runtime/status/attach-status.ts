// The status summary of a query service: its paths are forwarded to the status service, and from the moment it listens the
// service is told how things are.
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { addStatusForwarding } from '../../http/status/forward-status.ts';
import type { ServingPlace } from '../../http/status/status-control-routes.ts';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings/load-settings.ts';
import { loadStatusRules } from './load-status-rules.ts';
import { type ReportStatusOptions, reportStatus } from './report-status.ts';
import { openStatusLink } from './status-link.ts';

export type AttachedStatus = {
  /** To be called when the service listens. */
  begin(place: ServingPlace): void;
  close(): Promise<void>;
};

export type AttachStatusOptions = {
  app: FastifyInstance;
  settings: Settings;
  log: Logger;
  networkName: string;
  registry: Registry;
} & Pick<ReportStatusOptions, 'connectionString' | 'connections' | 'observer' | 'selfTest'>;

/** A query service among several is missed less than a whole mirror. */
const startOutlivedSeconds = 3600;

/** Resolves when no status service that was left behind holds the port any more. */
export async function attachStatus(options: AttachStatusOptions): Promise<AttachedStatus> {
  const { app, settings, log, networkName, ...reported } = options;
  if (settings.get('status-service') === 'off') return { begin() {}, async close() {} };
  const { timings } = loadStatusRules(settings);
  const outliveSeconds = reported.observer === null ? 0 : startOutlivedSeconds;
  const link = await openStatusLink({ settings, log, networkName, outliveSeconds });
  addStatusForwarding(app, link.find);
  const end = new AbortController();
  let reporting: Promise<void> | null = null;
  return {
    begin(place) {
      reporting = reportStatus({ ...reported, link, timings, place, log, signal: end.signal });
    },
    async close() {
      end.abort();
      await reporting;
      await link.close();
    },
  };
}
