// A mirror's link to its status service: keeps one running, and sends it reports. A service that another mirror of the
// same folder runs is shared; one that a killed mirror left behind is replaced.

import { createBackOff } from '../../../packages/kit/back-off.ts';
import { pause } from '../../../packages/kit/pause.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { makeDataFolder } from '../../../packages/postgres/embedded/data-folder.ts';
import type { FindStatusService, LocalStatusService } from '../../../packages/status/http/forward-status.ts';
import type { ServingPlace } from '../../../packages/status/http/status-control-routes.ts';
import type { SignalReport } from '../../../packages/status/take-signals.ts';
import type { Settings } from '../settings/load-settings.ts';
import { type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from './service-process.ts';
import { askStatusService, findRunningStatus, statusFolderOf } from './status-service-file.ts';

export type StatusLink<Found extends FindStatusService = FindStatusService> = {
  find: Found;
  /** How often the service expects reports; null if it does not say. */
  everyMs(): number | null;
  /**
   * Sends a report. Never rejects: a service that cannot be reached is restarted.
   * @param place null for a program that answers no queries
   * @returns which service accepted it; null if none did
   */
  report(report: SignalReport, place: ServingPlace | null): Promise<{ service: string } | null>;
  /** This program is going to end, and must not count as missing. Nothing is reported after it. */
  leave(place: ServingPlace | null): Promise<void>;
  /** Ends the service if this mirror owns it and no other needs it. */
  close(): Promise<void>;
};

export type LocalStatusLink = StatusLink<() => LocalStatusService | null>;

const stopTimeoutMs = 5000;
const maxPauseMs = 10_000;

/**
 * Resolves when nothing that a killed mirror left behind holds its port any more; the service itself starts meanwhile.
 */
export async function openStatusLink(options: ServiceProcessOptions): Promise<LocalStatusLink> {
  const { settings, log } = options;
  const folder = statusFolderOf(settings.get('data-dir'));
  makeDataFolder(folder);
  const contact = createContact(log);
  let own: ServiceProcess | null = null;
  await stopLeftOver(settings, log);
  const keeping = keepRunning();
  return {
    find: contact.find,
    everyMs: () => null,
    report: contact.report,
    leave: contact.leave,
    async close() {
      contact.close();
      await own?.stop(keeping);
    },
  };

  async function keepRunning(): Promise<void> {
    const delays = createBackOff(100, maxPauseMs);
    while (!contact.isClosing()) {
      const startedAt = performance.now();
      try {
        const shared = await findRunningStatus(folder);
        if (shared) await watchShared(shared.address);
        else await runOwn();
      } catch (error) {
        log.warn({ err: error }, 'The status service does not run');
      }
      contact.lose();
      if (performance.now() - startedAt > maxPauseMs) delays.reset();
      if (!contact.isClosing()) await pause(delays.next());
    }
  }

  async function watchShared(address: LocalStatusService): Promise<void> {
    await contact.meet(address);
    while (!contact.isClosing() && (await findRunningStatus(folder))) await pause(1000);
  }

  /** Until it ends. */
  async function runOwn(): Promise<void> {
    own = startServiceProcess(options, { onContact: contact.meet, hasContact: () => contact.find() !== null });
    if (contact.isClosing()) own.kill();
    const end = await own.ended;
    own = null;
    if (!contact.isClosing()) {
      log.warn(`The status service ended (${end.how}) and is started again; see ${end.logPath}`);
    }
  }
}

/** The current service, and the last report, which a restarted service gets at once. */
function createContact(log: Logger) {
  let service: LocalStatusService | null = null;
  // Only from it a new service learns which port it stands in for.
  let lastReport: (SignalReport & { place: ServingPlace | undefined }) | null = null;
  let isClosing = false;

  async function send(): Promise<{ service: string } | null> {
    if (!service || !lastReport || isClosing) return null;
    try {
      const answer = await askStatusService(service, { method: 'POST', path: '/control/report', body: lastReport });
      if (answer.status === 200) return answer.body as { service: string };
      log.warn({ answer: answer.body }, 'The status service refused a report');
    } catch (error) {
      if (!isClosing) log.debug({ err: error }, 'The status service was not reached');
    }
    return null;
  }

  return {
    find: () => service,
    isClosing: () => isClosing,
    async meet(found: LocalStatusService): Promise<void> {
      service = found;
      await send();
    },
    lose(): void {
      service = null;
    },
    report(report: SignalReport, place: ServingPlace | null) {
      lastReport = { ...report, place: place ?? undefined };
      return send();
    },
    async leave(place: ServingPlace | null): Promise<void> {
      if (!service || !place) return;
      await askStatusService(service, { method: 'POST', path: '/control/leave', body: place }).catch((error: Error) =>
        log.debug({ err: error }, 'The status service was not reached'),
      );
    },
    close(): void {
      isClosing = true;
    },
  };
}

/** Resolves when nothing that a killed mirror of this data folder left behind holds the port any more. */
export async function stopLeftOver(settings: Settings, log: Logger): Promise<void> {
  const folder = statusFolderOf(settings.get('data-dir'));
  const found = await findRunningStatus(folder);
  const port = settings.get('port');
  if (!found || !(found.isLeftOver || found.standsInAt.includes(port))) return;
  if (found.isLeftOver) log.info('Replacing the status service of a killed mirror');
  try {
    const stop = { method: 'POST', path: '/control/stop', body: { port } } as const;
    const { body } = await askStatusService(found.address, stop);
    if ((body as { goesOn?: boolean }).goesOn) return;
  } catch (error) {
    log.warn({ err: error }, 'The status service of a killed mirror does not end');
  }
  for (const until = performance.now() + stopTimeoutMs; performance.now() < until; await pause(50)) {
    if (!(await findRunningStatus(folder))) return;
  }
}
