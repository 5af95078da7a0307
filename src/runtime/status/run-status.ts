// The status service as a process: its journal, its clock, its listeners. It has no connection to the database and
// needs no other part to answer. If the mirror that started it is killed, it takes over the mirror's port until one
// starts again.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { listen } from '../../../packages/kit/process/listen.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Shutdown } from '../../../packages/kit/process/shutdown.ts';
import { createStatusService } from '../../../packages/status/create-status-service.ts';
import { createStatusApp, type StatusAppOptions } from '../../../packages/status/http/status-app.ts';
import { createStatusGate } from '../../../packages/status/http/status-gate.ts';
import { createReporterRoll } from '../../../packages/status/reporter-roll.ts';
import { hasPageUrl } from '../../../packages/status/set-up-status.ts';
import { openStatusJournal } from '../../../packages/status/status-journal.ts';
import type { StatusRules } from '../../../packages/status/status-rules.ts';
import { createWebhooks } from '../../../packages/status/webhooks/create-webhooks.ts';
import { localAccess } from '../../../packages/web-server/web-access.ts';
import type { Settings } from '../settings/load-settings.ts';
import { readTokens } from '../settings/read-tokens.ts';
import { toListenerSettings } from '../settings/to-listener-settings.ts';
import { toWebAccess } from '../settings/to-web-access.ts';
import { createServiceParent, keepStatus } from './keep-status.ts';
import { openServiceFolder, readServiceIdentity, type ServiceFolder } from './service-folder.ts';
import { createServingPlaces } from './serving-places.ts';
import { createStandIns } from './stand-ins.ts';
import { loadStatusRules, readStatusTls } from './status-files.ts';
import { createStatusIntake } from './status-intake.ts';
import { statusFolderOf } from './status-service-file.ts';
import { watchServing } from './watch-serving.ts';

export type RunStatusOptions = {
  settings: Settings;
  log: Logger;
  shutdown: Shutdown;
  /** Called once it answers. */
  onReady(place: { port: number; secret: string; publicUrl: string | null }): void;
};

const loopback = '127.0.0.1';

/** Resolves when a signal, a request or its time limit ends it. */
export async function runStatus({ settings, log, shutdown, onReady }: RunStatusOptions): Promise<void> {
  const path = statusFolderOf(settings.get('data-dir'));
  const rules = loadStatusRules(settings);
  const tokens = readTokens('status-token', settings.find('status-token'));
  const reporters = readTokens('status-reporters', settings.find('status-reporters'));
  const tls = readStatusTls(settings);
  const outliveSeconds = settings.find('status-outlive') ?? 0;
  const folder = await openServiceFolder(path, { log, signal: shutdown.signal });
  const clock = (): number => Date.now();
  const { journal, webhooks, service } = openService({ path, folder, settings, rules, log, clock });
  const { tickMs } = rules.timings;
  const freshMs = tickMs * 3;
  const identity = readServiceIdentity(path);
  const secret = randomBytes(24).toString('hex');
  const gate = createStatusGate({ tokens, reporters, secret, clock });
  const places = createServingPlaces();
  const roll = createReporterRoll({ freshMs });
  const parent = createServiceParent(places, { log, outliveSeconds, clock });
  // Older values were reported before this process began: a program that was killed meanwhile has sent nothing since.
  if (parent.pid === null) service.forget((_signal, { at }) => clock() - at > freshMs);

  const standIns = createStandIns(() => createStatusApp({ ...shared, control: null, standsIn: true }), log);
  const watch = watchServing({
    places,
    roll,
    standIns,
    clock,
    report: service.report,
    onNone() {
      // The service of a mirror ends with it.
      if (parent.pid === null) service.forget((signal) => signal.startsWith('api.'));
    },
  });
  const { control, reporting } = createStatusIntake({
    service,
    identity,
    tickMs,
    freshMs,
    settings,
    gate,
    places,
    roll,
    standIns,
    log,
    clock,
    isLeftOver: parent.isLeftOver,
    look: watch.look,
    onReplaced: () => shutdown.request('another mirror takes over'),
  });
  const { limits, trustProxy, clusterId } = toListenerSettings(settings);
  const shared = {
    service,
    webhooks,
    gate,
    clock,
    log,
    limits,
    trustProxy,
    clusterId,
    access: toWebAccess(settings),
    ...(reporters.size > 0 && { reporting }),
  };
  const listeners = createListeners(shared, shutdown.signal);
  try {
    // Programs of this machine connect over loopback.
    const own = await listeners.open({ port: 0, host: loopback, control, access: localAccess });
    const port = Number(new URL(own).port);
    const publicPort = settings.find('status-port');
    const place = { port: publicPort ?? 0, host: settings.get('host'), control: null, tls };
    const publicUrl = publicPort === undefined ? null : await listeners.openWhereFree(place);
    const isUrlSet = settings.find('status-url') !== undefined;
    if (!isUrlSet && (publicUrl !== null || !hasPageUrl(service.state())))
      service.setPageUrl(`${publicUrl ?? own}/status`);
    const address = { port, secret, pid: process.pid };
    folder.keep(address);
    onReady({ port, secret, publicUrl });
    parent.watch(shutdown);
    const kept = { service, folder, address, parent, places, standIns, watch, tickMs, outliveSeconds };
    await keepStatus({ ...kept, shutdown, clock });
  } finally {
    await Promise.all([standIns.close(), listeners.close()]);
    await webhooks.close();
    journal.close();
    folder.release();
  }
}

type ServiceOptions = {
  path: string;
  folder: ServiceFolder;
  settings: Settings;
  rules: StatusRules;
  log: Logger;
  clock(): number;
};

/** The state of the status, its journal, and its subscribers. */
function openService({ path, folder, settings, rules, log, clock }: ServiceOptions) {
  const journal = openStatusJournal(path, undefined, (error) =>
    log.warn({ err: error }, 'no snapshot of the status could be written; the journal continues'),
  );
  const webhooks = createWebhooks({
    folder: join(path, 'webhooks'),
    clock,
    allowPrivate: settings.get('status-webhook-private'),
    log: (sentence) => log.warn(sentence),
  });
  const service = createStatusService({
    journal,
    rules,
    page: {
      networkName: settings.find('network') ?? null,
      networkTitle: settings.find('status-title') ?? null,
      url: settings.find('status-url') ?? null,
    },
    clock,
    onChange: webhooks.announce,
    onProblem(error) {
      folder.giveBackForLog();
      const sentence = 'the status cannot be written and is kept in memory; it is tried again with every change';
      log.warn({ err: error }, sentence);
    },
    hasRoom: folder.takeReserves,
    onRecovered: () => log.warn('the status is written again'),
  });
  // Also changes made while no service ran, or just before a kill.
  webhooks.announce(service.state());
  return { journal, webhooks, service };
}

type Listener = Pick<StatusAppOptions, 'control' | 'tls' | 'access'> & { port: number; host: string };

function createListeners(
  shared: Omit<StatusAppOptions, 'control' | 'standsIn' | 'log'> & { log: Logger },
  signal: AbortSignal,
) {
  const apps: FastifyInstance[] = [];

  /** Returns its URL. */
  async function open({ port, host, control, tls, access = shared.access }: Listener): Promise<string> {
    const app = createStatusApp({ ...shared, control, tls, access, standsIn: false });
    await listen(app, { port, host, waitMs: 3000, log: shared.log, signal });
    apps.push(app);
    const address = app.server.address() as AddressInfo;
    return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  return {
    open,
    /** null if a service that a mirror started cannot listen: this extra port is not worth ending the service. */
    async openWhereFree(place: Listener): Promise<string | null> {
      try {
        return await open(place);
      } catch (error) {
        if (!process.channel) throw error;
        shared.log.error({ err: error }, 'the status service does not answer on its own port');
        return null;
      }
    },
    close: () => Promise.all(apps.map((app) => app.close())),
  };
}
