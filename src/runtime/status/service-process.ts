// The status service as a process that a mirror starts, with the same settings, and that can outlive it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { memoryEnvironment, memoryFlags } from '../../../packages/kit/process/memory-flags.ts';
import type { LocalStatusService } from '../../../packages/status/http/forward-status.ts';
import { unnamedNetwork } from '../database/settle-network.ts';
import type { CommandSetting } from '../settings/families/commands.ts';
import { environmentName, type Settings } from '../settings/load-settings.ts';
import { type SettingName, settingsTable } from '../settings/settings-table.ts';
import { goesOnMessage, statusFolderOf, stopMessage } from './status-service-file.ts';

export type ServiceProcessOptions = {
  settings: Settings;
  log: Logger;
  networkName: string;
  /** How long a new service outlives a killed mirror, unless a setting says otherwise. */
  outliveSeconds: number;
};

export type ServiceProcess = {
  ended: Promise<{ how: string; logPath: string }>;
  kill(): void;
  /** Ends it unless other mirrors need it; resolves when `gone` does, or when it reports that it continues. */
  stop(gone: Promise<void>): Promise<void>;
};

// The npm package has JavaScript in the place of TypeScript.
const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const program = fileURLToPath(new URL(`../../cli/main${ownExtension}`, import.meta.url));
const startTimeoutMs = 30_000;
const stopTimeoutMs = 5000;

/** It is killed if it does not report its address in time. */
export function startServiceProcess(
  options: ServiceProcessOptions,
  { onContact, hasContact }: { onContact(contact: LocalStatusService): void; hasContact(): boolean },
): ServiceProcess {
  const { settings } = options;
  const logPath = join(statusFolderOf(settings.get('data-dir')), 'status.log');
  const output = openLog(logPath);
  const child = spawn(process.execPath, [...memoryFlags('status'), program, 'status', 'serve', ...flagsOf(options)], {
    // A signal to this process's group, or closing its terminal, does not reach it.
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
      // A service that continues for others does not keep this process alive.
      if (child.connected) child.disconnect();
      child.unref();
    },
  };
}

/** If there is no room for a log, the service runs without one. */
function openLog(path: string): number | 'ignore' {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 'ignore';
    throw error;
  }
}

/** The network's name may not come from its setting alone, and the configuration file is part of the other values. */
const separate: readonly SettingName[] = ['network', 'status-outlive', 'config'];

/** The mirror's settings for the service; secrets are passed another way. */
function flagsOf({ settings, networkName, outliveSeconds }: ServiceProcessOptions): string[] {
  const outlive = settings.find('status-outlive') ?? outliveSeconds;
  const flags: string[] = [`--status-outlive=${outlive}`];
  // A network without a name gets it from the reports, once the import has stored it.
  if (networkName !== unnamedNetwork) flags.push(`--network=${networkName}`);
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
  // The launcher ends its children; this one is meant to stay.
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
