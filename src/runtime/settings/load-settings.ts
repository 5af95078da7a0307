// Settings of one command: flags first, then environment, then the configuration file, then defaults. Every error names
// the setting and the source of its value.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Setting } from '../../../packages/kit/setting.ts';
import type { CommandName } from './families/commands.ts';
import { describeSuccessor, type RemovedSettings, removedSettings } from './removed-settings.ts';
import { type SettingName, settingsTable } from './settings-table.ts';
import { UsageError } from './usage-error.ts';

type Table = typeof settingsTable;
type ValueOf<N extends SettingName> = Table[N] extends Setting<infer T> ? T : never;

export type Settings = {
  /** Value of a setting that has a default or was given; throws UsageError if it is needed but missing. */
  get<N extends SettingName>(name: N): ValueOf<N>;
  /** undefined if it was not given and has no default. */
  find<N extends SettingName>(name: N): ValueOf<N> | undefined;
};

/** The same, with values for some that were not given and have no default of their own. */
export function withDefaults(settings: Settings, defaults: { [N in SettingName]?: ValueOf<N> }): Settings {
  const find: Settings['find'] = (name) => settings.find(name) ?? defaults[name];
  return { find, get: (name) => find(name) ?? settings.get(name) };
}

/** Throws UsageError for unknown, removed or misplaced flags, bad values, and an unreadable configuration file. */
export function loadSettings(
  command: CommandName,
  argv: string[],
  env: NodeJS.ProcessEnv,
  removed: RemovedSettings = removedSettings,
): Settings {
  refuseRemovedVariables(env, removed);
  const flags = readFlags(command, argv, removed);
  const file = readConfigurationFile(flags.config ?? env[environmentName('config')], removed);
  const values = new Map<string, unknown>();
  for (const [name, setting] of Object.entries(settingsTable) as [SettingName, Setting<unknown>][]) {
    const given = [
      { place: `--${name}`, text: flags[name] },
      { place: environmentName(name), text: env[environmentName(name)] },
      ...(setting.environment ? [{ place: setting.environment, text: env[setting.environment] }] : []),
      { place: `"${name}" in ${file.path}`, text: file.texts[name] },
    ].find(({ text }) => text !== undefined);
    values.set(name, given ? parseValue(setting, given.place, given.text!) : setting.default);
  }
  return {
    get(name) {
      const value = values.get(name);
      if (value === undefined) throw new UsageError(`--${name} ${settingsTable[name].placeholder} is needed`);
      return value as ValueOf<typeof name>;
    },
    find: (name) => values.get(name) as ValueOf<typeof name> | undefined,
  };
}

/** As far as known before the settings are read: for messages about wrong settings. */
export function readLogFormat(argv: readonly string[], env: NodeJS.ProcessEnv): 'text' | 'json' {
  const flag = '--log-format';
  const given = argv.map((word, index) => (word === flag ? argv[index + 1] : word.split(`${flag}=`)[1]));
  return (given.findLast((text) => text !== undefined) ?? env[environmentName('log-format')]) === 'json'
    ? 'json'
    : 'text';
}

export function environmentName(name: string): string {
  return `LEDGER_MIRROR_${name.toUpperCase().replaceAll('-', '_')}`;
}

function refuseRemovedVariables(env: NodeJS.ProcessEnv, removed: RemovedSettings): void {
  for (const [name, { environment }] of Object.entries(removed)) {
    const variables = [environmentName(name), ...(environment === undefined ? [] : [environment])];
    const given = variables.find((variable) => env[variable] !== undefined);
    if (given !== undefined) refuseRemoved(given, name, removed);
  }
}

function refuseRemovedFlags(argv: readonly string[], removed: RemovedSettings): void {
  for (const word of argv) {
    if (word === '--') return;
    const [, negation, name] = /^--(no-)?([^=]+)/.exec(word) ?? [];
    if (name !== undefined && Object.hasOwn(removed, name)) refuseRemoved(`--${negation ?? ''}${name}`, name, removed);
  }
}

function refuseRemoved(place: string, name: string, removed: RemovedSettings): never {
  const setting = removed[name]!;
  throw new UsageError(`${place} was removed in ${setting.since}: ${describeSuccessor(setting)}`);
}

function readFlags(command: CommandName, argv: string[], removed: RemovedSettings): Record<string, string | undefined> {
  refuseRemovedFlags(argv, removed);
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const [name, setting] of Object.entries(settingsTable)) {
    options[name] = { type: setting.placeholder === '' ? 'boolean' : 'string' };
  }
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: argv, options, strict: true, allowNegative: true });
  } catch (error) {
    const first = (error as Error).message.split('. ')[0]!.replaceAll('\n', ' ').replace(/\.$/, '');
    throw new UsageError(`${first}. "ledger-mirror ${command} --help" lists what it takes.`);
  }
  const texts: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(parsed.values)) {
    if (!(settingsTable[name as SettingName].commands as readonly CommandName[]).includes(command)) {
      throw new UsageError(
        `--${name} has no meaning for this command. "ledger-mirror ${command} --help" lists what it takes.`,
      );
    }
    texts[name] = String(value);
  }
  return texts;
}

function readConfigurationFile(
  named: string | undefined,
  removed: RemovedSettings,
): { path: string; texts: Record<string, string | undefined> } {
  const path = named ?? settingsTable.config.default!;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return { path, texts: {} };
    throw new UsageError(`The configuration file ${path} cannot be read: ${(error as Error).message}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The configuration file ${path} is not JSON: ${(error as Error).message}`);
  }
  if (content === null || typeof content !== 'object' || Array.isArray(content)) {
    throw new UsageError(`The configuration file ${path} must hold one JSON object, such as { "port": 5551 }`);
  }
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(content)) {
    if (Object.hasOwn(removed, name)) refuseRemoved(`"${name}" in ${path}`, name, removed);
    if (!Object.hasOwn(settingsTable, name))
      throw new UsageError(`The configuration file ${path} names an unknown setting "${name}"`);
    if (value === null || typeof value === 'object') {
      throw new UsageError(`"${name}" in ${path} must be a text, a number, true or false`);
    }
    texts[name] = String(value);
  }
  return { path, texts };
}

function parseValue(setting: Setting<unknown>, place: string, text: string): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    const found = setting.secret ? '' : `, not "${text}"`;
    throw new UsageError(`${place} must be ${(error as Error).message}${found}`);
  }
}
