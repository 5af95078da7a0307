// The status service as a process: its journal, its clock, its listeners. It has no connection to the database and needs no
// other part to answer. Started by a mirror that is then killed, it takes over the mirror's port until one starts again.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createStatusApp } from '../../http/status/status-app.ts';
import type { StatusControl } from '../../http/status/status-control-routes.ts';
import { createStatusGate } from '../../http/status/status-gate.ts';
import type { StatusReporting } from '../../http/status/status-report-routes.ts';
import { pause } from '../../kit/pause.ts';
import { createReportBoard } from '../../status/combine-reports.ts';
import { createStatusService } from '../../status/create-status-service.ts';
import { createDiskReserve } from '../../status/disk-reserve.ts';
import { createReporterRoll } from '../../status/reporter-roll.ts';
import { networkTitleOf } from '../../status/status-components.ts';
import { openStatusJournal } from '../../status/status-journal.ts';
import { createWebhooks } from '../../status/webhooks/create-webhooks.ts';
import { makeDataFolder } from '../../store/embedded/data-folder.ts';
import { lockDataFolder } from '../../store/embedded/data-lock.ts';
import { listen } from '../listen.ts';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings/load-settings.ts';
import { readTokens } from '../settings/read-tokens.ts';
import { toListenerSettings } from '../settings/to-listener-settings.ts';
import type { Shutdown } from '../shutdown.ts';
import { loadStatusRules } from './load-status-rules.ts';
import { readStatusTls } from './read-status-tls.ts';
import { readServiceIdentity } from './service-identity.ts';
import { createServingPlaces } from './serving-places.ts';
import { createStandIns } from './stand-ins.ts';
import { goesOnMessage, stopMessage } from './status-process.ts';
import { readStatusAddress, type StatusAddress, statusFolderOf, writeStatusAddress } from './status-service-file.ts';
import { watchServing } from './watch-serving.ts';

export type RunStatusOptions = {
  settings: Settings;
  log: Logger;
  shutdown: Shutdown;
  /** Told once it answers. */
  onReady(place: { port: number; secret: string; publicUrl: string | null }): void;
};

const loopback = '127.0.0.1';
/** For programs that are gone. */
const lookEveryMs = 250;

/** Resolves when a signal, an order or the end of its time ends it. */
export async function runStatus({ settings, log, shutdown, onReady }: RunStatusOptions): Promise<void> {
  const folder = statusFolderOf(settings.get('data-dir'));
  const rules = loadStatusRules(settings);
  const tokens = readTokens('status-token', settings.find('status-token'));
  const reporters = readTokens('status-reporters', settings.find('status-reporters'));
  const tls = readStatusTls(settings);
  const networkName = settings.find('network') ?? 'other';
  const outliveSeconds = settings.find('status-outlive') ?? 0;
  makeDataFolder(folder);
  const startReserve = createDiskReserve(folder, 'start', 64 * 1024);
  const logReserve = createDiskReserve(folder, 'log', 16 * 1024);
  // What follows has to be written even where the disk has become full since.
  startReserve.giveBack();
  const { signal } = shutdown;
  const lock = await lockDataFolder(folder, { waitMs: 5000, log: (sentence) => log.info(sentence), signal });
  const journal = openStatusJournal(folder, undefined, (error) =>
    log.warn({ err: error }, 'no snapshot of the status could be written; the journal continues'),
  );
  const clock = (): number => Date.now();
  const webhooks = createWebhooks({
    folder: join(folder, 'webhooks'),
    clock,
    allowPrivate: settings.get('status-webhook-private'),
    log: (sentence) => log.warn(sentence),
  });
  const service = createStatusService({
    journal,
    rules,
    page: {
      networkName,
      networkTitle: settings.find('status-title') ?? networkTitleOf(networkName),
      url: settings.find('status-url') ?? null,
    },
    clock,
    onChange: webhooks.announce,
    onProblem(error) {
      // So that at least the next line of the log finds room.
      logReserve.giveBack();
      log.warn(
        { err: error },
        'the status cannot be written and is kept in memory; it is tried again with every change',
      );
    },
    hasRoom: takeReserves,
    onRecovered: () => log.warn('the status is written again'),
  });
  // Also what changed while no service ran, or just before a kill.
  webhooks.announce(service.state());
  const freshMs = rules.timings.tickMs * 3;
  const identity = readServiceIdentity(folder);
  const secret = randomBytes(24).toString('hex');
  const gate = createStatusGate({ tokens, reporters, secret, clock });
  const places = createServingPlaces();
  const roll = createReporterRoll({ freshMs });
  const board = createReportBoard(freshMs);
  // Only the service of a mirror stands in for it; one that was started by hand belongs to a supervisor.
  const parentPid = process.channel ? process.ppid : null;
  let isParentGone = false;
  // What was last said before this process began: of a program that was killed meanwhile nobody has heard since.
  if (parentPid === null) service.forget((_signal, { at }) => clock() - at > freshMs);

  const control: StatusControl = {
    gate,
    about: () => ({ pid: process.pid, isLeftOver: isLeftOver(), standsInAt: standIns.ports() }),
    onReport(report, place) {
      const now = clock();
      if (place) places.note(place, now);
      // The first that answers gives the page its address.
      const [first] = places.list(now);
      if (first && settings.find('status-url') === undefined) service.setPageUrl(`${first.url}/status`);
      service.report(place ? board.take(place.url, report, now) : report);
      return { service: identity };
    },
    onLeave(place) {
      places.forget(place);
      board.drop(place.url);
      watch.look();
    },
    async onStop(port) {
      const freed = port === undefined ? null : await standIns.release(port);
      // Otherwise it would stand there again before the query service does.
      if (freed) places.forget(freed);
      if (!isLeftOver()) return true;
      await standIns.close();
      shutdown.request('another mirror takes over');
      return false;
    },
  };
  function isLeftOver(): boolean {
    return isParentGone && !places.isShared(null, clock());
  }
  const reporting: StatusReporting = {
    about: () => ({ service: identity, everyMs: rules.timings.tickMs / 2 }),
    network: settings.find('network') ?? null,
    onReport({ name, kind }, report) {
      const now = clock();
      if (!roll.note(name, kind, now)) return false;
      service.report(board.take(name, report, now));
      watch.look();
      return true;
    },
    onLeave: ({ name }) => void forgetReporter(name),
    list: () => roll.list(clock()),
    forget: forgetReporter,
    onLost({ name }) {
      roll.lose(name);
      board.drop(name);
      log.warn(`${name}, which reports to this service, has ended without notice`);
      watch.look();
    },
  };
  function forgetReporter(name: string): boolean {
    board.drop(name);
    const wasThere = roll.forget(name);
    watch.look();
    return wasThere;
  }
  const { limits, trustProxy } = toListenerSettings(settings);
  const shared = { service, webhooks, gate, clock, log, limits, trustProxy, ...(reporters.size > 0 && { reporting }) };
  const standIns = createStandIns(() => createStatusApp({ ...shared, control: null, standsIn: true }), log);
  const watch = watchServing({
    ...{ places, roll, standIns, clock },
    report: service.report,
    onNone() {
      // The service of a mirror ends with it.
      if (parentPid === null) service.forget((signal) => signal.startsWith('api.'));
    },
  });
  const apps: FastifyInstance[] = [];
  let address: StatusAddress | null = null;
  let isAddressWritten = false;
  async function open(port: number, host: string, options: { control: StatusControl | null }): Promise<string> {
    // Programs of this machine come over loopback.
    const keys = options.control ? null : tls;
    const app = createStatusApp({ ...shared, ...options, tls: keys, standsIn: false });
    await listen(app, { port, host, waitMs: 3000, log, signal });
    apps.push(app);
    const address = app.server.address() as AddressInfo;
    return `${keys ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  try {
    const port = Number(new URL(await open(0, loopback, { control })).port);
    const publicUrl = await openPublicly();
    address = { port, secret, pid: process.pid };
    keepFiles();
    onReady({ port, secret, publicUrl });
    watchParent();
    await Promise.all([keepTime(), keepProbing(), keepLooking(), keepStandingIn()]);
  } finally {
    await Promise.all([standIns.close(), ...apps.map((app) => app.close())]);
    await webhooks.close();
    journal.close();
    if (existsSync(folder)) lock.release();
  }

  async function openPublicly(): Promise<string | null> {
    const port = settings.find('status-port');
    if (port === undefined) return null;
    try {
      return await open(port, settings.get('host'), { control: null });
    } catch (error) {
      // To a mirror its service is worth more than this one port of it.
      if (!process.channel) throw error;
      log.error({ err: error }, 'the status service does not answer on its own port');
      return null;
    }
  }

  async function keepTime(): Promise<void> {
    for (;;) {
      service.tick();
      keepFiles();
      if (!(await pause(rules.timings.tickMs, signal))) return;
      endWhereNotAtHome();
    }
  }

  /** Where the machine's own programs find it, and room for worse times: written as soon as there is room. */
  function keepFiles(): void {
    try {
      if (address && !isAddressWritten) writeStatusAddress(folder, address);
      isAddressWritten = address !== null;
      takeReserves();
    } catch (error) {
      log.debug({ err: error }, 'the disk has no room yet');
    }
  }

  function takeReserves(): boolean {
    try {
      startReserve.take();
      logReserve.take();
      return true;
    } catch (error) {
      log.debug({ err: error }, 'the disk has no room for a reserve');
      return false;
    }
  }

  /** A folder that was cleared away, or taken by another service, ends this one. */
  function endWhereNotAtHome(): void {
    if (isAddressWritten && readStatusAddress(folder)?.pid !== process.pid)
      shutdown.request('the folder is no longer its own');
  }

  async function keepProbing(): Promise<void> {
    let probedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const isAlone = places.list(clock()).length === 0;
      if (!isAlone || clock() - probedAt >= rules.timings.tickMs) {
        await watch.probe();
        probedAt = clock();
      }
      if (!(await pause(isAlone ? Math.min(200, rules.timings.tickMs) : rules.timings.tickMs, signal))) return;
    }
  }

  async function keepLooking(): Promise<void> {
    while (await pause(lookEveryMs, signal)) watch.look();
  }

  function watchParent(): void {
    if (parentPid === null) return;
    process.on('message', (message) => {
      if (message !== stopMessage) return;
      if (places.isShared(parentPid, clock())) process.send?.(goesOnMessage);
      else shutdown.request('the mirror ends');
    });
    process.on('disconnect', () => {
      if (signal.aborted) return;
      isParentGone = true;
      log.warn(`The mirror has ended; without another one the status service continues for up to ${outliveSeconds} s`);
    });
  }

  /** In the places of query services that were killed; ends when there has been none for too long. */
  async function keepStandingIn(): Promise<void> {
    let aloneSince: number | null = null;
    while (parentPid !== null && (await pause(500, signal))) {
      const now = clock();
      endWhereNotAtHome();
      aloneSince = isLeftOver() ? (aloneSince ?? now) : null;
      if (aloneSince !== null && now - aloneSince >= outliveSeconds * 1000) {
        shutdown.request('no mirror has started again');
        return;
      }
      // Whoever is answered in its place learns that it is gone.
      watch.look();
      for (const place of places.listGone(now)) await standIns.takeOver(place);
    }
  }
}
