// The status service as a process that a mirror starts, with the same settings, and that can outlive it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocalStatusService } from '../../http/status/forward-status.ts';
import type { Logger } from '../process/log.ts';
import { memoryEnvironment, memoryFlags } from '../process/memory-flags.ts';
import type { CommandSetting } from '../settings/families/commands.ts';
import { environmentName, type Settings } from '../settings/load-settings.ts';
import { type SettingName, settingsTable } from '../settings/settings-table.ts';
import { goesOnMessage, statusFolderOf, stopMessage } from './status-service-file.ts';

export type ServiceProcessOptions = {
  settings: Settings;
  log: Logger;
  networkName: string;
  /** How long a new service outlives this mirror when it is killed, unless a setting says otherwise. */
  outliveSeconds: number;
};

export type ServiceProcess = {
  ended: Promise<{ how: string; logPath: string }>;
  kill(): void;
  /** Ends it unless other mirrors need it; resolves when `gone` does, or when it says that it goes on. */
  stop(gone: Promise<void>): Promise<void>;
};

// The npm package has JavaScript in the place of TypeScript.
const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const program = fileURLToPath(new URL(`../../cli/main${ownExtension}`, import.meta.url));
const startTimeoutMs = 30_000;
const stopTimeoutMs = 5000;

/** One that does not say where it listens in time is killed. */
export function startServiceProcess(
  options: ServiceProcessOptions,
  { onContact, hasContact }: { onContact(contact: LocalStatusService): void; hasContact(): boolean },
): ServiceProcess {
  const { settings } = options;
  const logPath = join(statusFolderOf(settings.get('data-dir')), 'status.log');
  const output = openLog(logPath);
  const child = spawn(process.execPath, [...memoryFlags('status'), program, 'status', 'serve', ...flagsOf(options)], {
    // What ends this process by its group, or by closing its terminal, leaves it alone.
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
    env: environmentOf(settings),
  });
  if (typeof output === 'number') closeSync(output);
  child.on('message', (message) => {
    if (message !== goesOnMessage) onContact(message as LocalStatusService);
  });
  const timer = setTimeout(() => {
    if (!hasContact()) child.kill('SIGKILL');
  }, startTimeoutMs);
  const ended = once(child, 'exit').then(([code, signal]) => {
    clearTimeout(timer);
    return { how: signal ?? `status ${code}`, logPath };
  });
  return {
    ended,
    kill: () => void child.kill(),
    async stop(gone) {
      const kill = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      const goesOn = new Promise<void>((resolve) => {
        child.on('message', (message) => message === goesOnMessage && resolve());
      });
      if (child.connected) child.send(stopMessage);
      else child.kill();
      await Promise.race([gone, goesOn]);
      clearTimeout(kill);
      // Of one that goes on for others, nothing keeps this process.
      if (child.connected) child.disconnect();
      child.unref();
    },
  };
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
function flagsOf({ settings, networkName, outliveSeconds }: ServiceProcessOptions): string[] {
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
