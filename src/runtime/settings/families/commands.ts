// The commands, and those that share many settings.
import type { Setting } from '../../../../packages/kit/setting.ts';

export const commandNames = [
  'start',
  'import',
  'serve',
  'status',
  'network',
  'verify',
  'contract',
  'migrate',
  'doctor',
  'bootstrap',
  'export',
] as const;
export type CommandName = (typeof commandNames)[number];

export const commandGroups = {
  storing: ['start', 'import', 'serve', 'contract', 'migrate', 'doctor', 'bootstrap', 'export'],
  reading: ['start', 'import', 'verify', 'doctor', 'bootstrap'],
  /** And reading files of it again. */
  fetching: ['start', 'import', 'serve', 'verify', 'doctor', 'bootstrap'],
  /** Reading or writing buckets. */
  asking: ['start', 'import', 'serve', 'verify', 'doctor', 'bootstrap', 'export'],
  importing: ['start', 'import'],
  serving: ['start', 'serve'],
  /** Contracts by their sources. */
  checking: ['start', 'serve', 'contract'],
  reporting: ['start', 'serve', 'status'],
  reporters: ['start', 'serve', 'import'],
  simulating: ['start', 'network'],
} satisfies Record<string, readonly CommandName[]>;

export type CommandSetting<T = unknown> = Setting<T> & { commands: readonly CommandName[] };

type OfCommands<Family> = { [Name in keyof Family]: Family[Name] & { commands: readonly CommandName[] } };

/** Settings that these commands take. */
export function settingsOf<const Family extends Record<string, Setting<unknown>>>(
  commands: readonly CommandName[],
  family: Family,
): OfCommands<Family> {
  const listed = Object.entries(family).map(([name, setting]) => [name, { ...setting, commands }]);
  return Object.fromEntries(listed) as OfCommands<Family>;
}
