// A mirror's end of its status service: sees to it that one runs, knows where it listens, and hands reports to it. One that
// another mirror of the same folder runs is shared; one that a killed mirror left behind is replaced.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FindStatusService, LocalStatusService } from '../../http/status/forward-status.ts';
import type { ServingPlace } from '../../http/status/status-control-routes.ts';
import { createBackOff } from '../../kit/back-off.ts';
import { pause } from '../../kit/pause.ts';
import type { SignalReport } from '../../status/take-signals.ts';
import { makeDataFolder } from '../../store/embedded/data-folder.ts';
import type { Logger } from '../log.ts';
import { memoryEnvironment, memoryFlags } from '../memory-flags.ts';
import type { CommandSetting } from '../settings/families/commands.ts';
import { environmentName, type Settings } from '../settings/load-settings.ts';
import { type SettingName, settingsTable } from '../settings/settings-table.ts';
import { goesOnMessage, stopMessage } from './status-process.ts';
import { askStatusService, findRunningStatus, statusFolderOf } from './status-service-file.ts';

export type StatusLink<Found extends FindStatusService = FindStatusService> = {
  find: Found;
  /** How often the service wants to hear; null where it does not say. */
  everyMs(): number | null;
  /**
   * Says how things are. Never rejects: a service that cannot be reached is started again.
   * @param place null for a program that answers no queries
   * @returns which service took it; null where none did
   */
  report(report: SignalReport, place: ServingPlace | null): Promise<{ service: string } | null>;
  /** This program is going to end, and is not to be missed. Nothing is reported after it. */
  leave(place: ServingPlace | null): Promise<void>;
  /** Ends the service if it is this mirror's own and no other needs it. */
  close(): Promise<void>;
};

export type LocalStatusLink = StatusLink<() => LocalStatusService | null>;

export type StatusLinkOptions = {
  settings: Settings;
  log: Logger;
  networkName: string;
  /** How long a new service outlives this mirror when it is killed, unless a setting says otherwise. */
  outliveSeconds: number;
};

type Contact = LocalStatusService;

// The npm package has JavaScript in the place of TypeScript.
const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const program = fileURLToPath(new URL(`../../cli/main${ownExtension}`, import.meta.url));
const startTimeoutMs = 30_000;
const stopTimeoutMs = 5000;
const maxPauseMs = 10_000;

/** Resolves when nothing that a killed mirror left behind holds its port any more; the service itself starts meanwhile. */
export async function openStatusLink(options: StatusLinkOptions): Promise<LocalStatusLink> {
  const { settings, log } = options;
  const folder = statusFolderOf(settings.get('data-dir'));
  makeDataFolder(folder);
  let contact: Contact | null = null;
  let lastReport: (SignalReport & { place: ServingPlace | undefined }) | null = null;
  let own: ChildProcess | null = null;
  let isClosing = false;
  await stopLeftOver(settings, log);
  const keeping = keepRunning();

  async function keepRunning(): Promise<void> {
    const delays = createBackOff(100, maxPauseMs);
    while (!isClosing) {
      const startedAt = Date.now();
      try {
        const shared = await findRunningStatus(folder);
        if (shared) await watchShared(shared.address);
        else await runOwn();
      } catch (error) {
        log.warn({ err: error }, 'The status service does not run');
      }
      contact = null;
      if (Date.now() - startedAt > maxPauseMs) delays.reset();
      if (!isClosing) await pause(delays.next());
    }
  }

  /** A service that has just started knows the port that it stands in for only from a report: it gets the last at once. */
  async function meet(found: Contact): Promise<void> {
    contact = found;
    await sendLastReport();
  }

  async function sendLastReport(): Promise<{ service: string } | null> {
    if (!contact || !lastReport || isClosing) return null;
    try {
      const answer = await askStatusService(contact, { method: 'POST', path: '/control/report', body: lastReport });
      if (answer.status === 200) return answer.body as { service: string };
      log.warn({ answer: answer.body }, 'The status service refused a report');
    } catch (error) {
      if (!isClosing) log.debug({ err: error }, 'The status service was not reached');
    }
    return null;
  }

  async function watchShared(address: Contact): Promise<void> {
    await meet(address);
    while (!isClosing && (await findRunningStatus(folder))) await pause(1000);
  }

  /** Until it ends. */
  async function runOwn(): Promise<void> {
    const output = openLog(join(folder, 'status.log'));
    const child = spawn(process.execPath, [...memoryFlags('status'), program, 'status', 'serve', ...flagsOf(options)], {
      // A group of its own: what ends this process by its group, or by closing its terminal, leaves it alone.
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
      env: environmentOf(settings),
    });
    if (typeof output === 'number') closeSync(output);
    own = child;
    const ended = once(child, 'exit');
    child.on('message', (message) => {
      if (message !== goesOnMessage) void meet(message as Contact);
    });
    const timer = setTimeout(() => {
      if (!contact) child.kill('SIGKILL');
    }, startTimeoutMs);
    if (isClosing) child.kill();
    const [code, signal] = await ended;
    clearTimeout(timer);
    own = null;
    if (!isClosing)
      log.warn(
        `The status service ended (${signal ?? `status ${code}`}) and is started again; see ${join(folder, 'status.log')}`,
      );
  }

  return {
    find: () => contact,
    everyMs: () => null,
    report(report, place) {
      lastReport = { ...report, place: place ?? undefined };
      return sendLastReport();
    },
    async leave(place) {
      if (!contact || !place) return;
      await askStatusService(contact, { method: 'POST', path: '/control/leave', body: place }).catch((error: Error) =>
        log.debug({ err: error }, 'The status service was not reached'),
      );
    },
    async close() {
      isClosing = true;
      const child = own;
      if (!child) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      const goesOn = new Promise<void>((resolve) => {
        child.on('message', (message) => message === goesOnMessage && resolve());
      });
      if (child.connected) child.send(stopMessage);
      else child.kill();
      await Promise.race([keeping, goesOn]);
      clearTimeout(timer);
      // Of one that goes on for others, nothing keeps this process.
      if (child.connected) child.disconnect();
      child.unref();
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
  for (const until = Date.now() + stopTimeoutMs; Date.now() < until; await pause(50)) {
    if (!(await findRunningStatus(folder))) return;
  }
}

/** Without room for it the service runs without a log. */
function openLog(path: string): number | 'ignore' {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 'ignore';
    throw error;
  }
}

/** The network's name may follow from more than its setting, and what the configuration file says is in the other values. */
const separate: readonly SettingName[] = ['network', 'status-outlive', 'config'];

/** The same settings for the service as for the mirror; what is secret goes another way. */
function flagsOf({ settings, networkName, outliveSeconds }: StatusLinkOptions): string[] {
  const outlive = settings.find('status-outlive') ?? outliveSeconds;
  const flags: string[] = [`--network=${networkName}`, `--status-outlive=${outlive}`];
  for (const [name, setting] of statusSettings()) {
    const value = settings.find(name);
    if (separate.includes(name) || setting.secret || value === undefined) continue;
    // A switch takes no value.
    if (typeof value === 'boolean') flags.push(`--${value ? '' : 'no-'}${name}`);
    else flags.push(`--${name}=${value}`);
  }
  return flags;
}

function environmentOf(settings: Settings): NodeJS.ProcessEnv {
  // The launcher ends what it started; this is meant to stay.
  const { LEDGER_MIRROR_LAUNCHER: _launcher, ...inherited } = process.env;
  const environment: NodeJS.ProcessEnv = { ...inherited, ...memoryEnvironment };
  for (const [name, setting] of statusSettings()) {
    const value = settings.find(name);
    if (setting.secret && value !== undefined) environment[environmentName(name)] = String(value);
  }
  return environment;
}

function statusSettings(): [SettingName, CommandSetting][] {
  const all = Object.entries(settingsTable) as [SettingName, CommandSetting][];
  return all.filter(([, { commands }]) => commands.includes('status'));
}
