// The commands. Each is loaded alone when it is called: of the program's 2,000 modules `verify` needs 280 and the
// status service 810, which starts them in a fraction of the time. What the large ones do is loaded when they run: help
// and refused settings need only their descriptions.
import type { CommandName } from '../runtime/settings/families/commands.ts';
import type { Command } from './command.ts';
import type { CommandGroup } from './format-help.ts';

const commands: Record<CommandName, () => Promise<Command>> = {
  start: async () => (await import('./start-command.ts')).startCommand,
  import: async () => (await import('./import-command.ts')).importCommand,
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  status: async () => (await import('./status-command.ts')).statusCommand,
  doctor: async () => (await import('./doctor-command.ts')).doctorCommand,
  contract: async () => (await import('./contract-command.ts')).contractCommand,
  verify: async () => (await import('./verify-command.ts')).verifyCommand,
  network: async () => (await import('./network-command.ts')).networkCommand,
  migrate: async () => (await import('./migrate-command.ts')).migrateCommand,
  bootstrap: async () => (await import('./bootstrap-command.ts')).bootstrapCommand,
  export: async () => (await import('./export-command.ts')).exportCommand,
};

const groups: readonly { title: string; names: readonly CommandName[] }[] = [
  { title: 'Run the mirror', names: ['start', 'import', 'serve'] },
  { title: 'See how it is', names: ['status', 'doctor'] },
  { title: 'Work with contracts', names: ['contract'] },
  { title: 'Begin with an export', names: ['bootstrap', 'export'] },
  { title: 'Work with files and databases', names: ['verify', 'network', 'migrate'] },
];

/** null if there is none of this name. */
export async function loadCommand(name: string): Promise<Command | null> {
  return Object.hasOwn(commands, name) ? commands[name as CommandName]() : null;
}

/** All of them, as the help lists them. */
export function loadCommandGroups(): Promise<CommandGroup[]> {
  return Promise.all(
    groups.map(async ({ title, names }) => ({
      title,
      commands: await Promise.all(names.map((name) => commands[name]())),
    })),
  );
}
