// The program: finds the command, its settings, runs it, and turns its end into an exit code: 0 done, 1 failed, 2 called
// wrongly.
import { limitHeapGrowth } from '../runtime/limit-heap-growth.ts';
import { createLog } from '../runtime/log.ts';
import { loadSettings } from '../runtime/settings/load-settings.ts';
import { UsageError } from '../runtime/settings/usage-error.ts';
import { createShutdown } from '../runtime/shutdown.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor-command.ts';
import { formatCommandHelp, formatProgramHelp } from './format-help.ts';
import { importCommand } from './import-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { networkCommand } from './network-command.ts';
import { serveCommand } from './serve-command.ts';
import { splitArguments } from './split-arguments.ts';
import { startCommand } from './start-command.ts';
import { statusCommand } from './status-command.ts';
import { verifyCommand } from './verify-command.ts';

const commands: readonly Command[] = [
  startCommand,
  importCommand,
  serveCommand,
  statusCommand,
  networkCommand,
  verifyCommand,
  migrateCommand,
  doctorCommand,
];

limitHeapGrowth(50);
process.exitCode = await main(process.argv.slice(2));
// A handle that somebody forgot must not keep a finished command alive.
setTimeout(() => process.exit(), 2000).unref();

async function main(argv: string[]): Promise<number> {
  const [name, ...rest] = argv;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    print(formatProgramHelp(commands));
    return name === undefined ? 2 : 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    process.stderr.write(`ledger-mirror: unknown command "${name}". "ledger-mirror --help" lists the commands.\n`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    print(formatCommandHelp(command));
    return 0;
  }
  try {
    const given = command.flags ? splitArguments(rest, command.flags) : { words: [], flags: {}, settings: rest };
    const settings = loadSettings(command.name, given.settings, process.env);
    const log = createLog({ level: settings.get('log-level'), format: settings.get('log-format') });
    const shutdown = createShutdown({ onRequest: (reason) => log.info({ reason }, 'stopping') });
    return await command.run({ settings, log, shutdown, print, words: given.words, flags: given.flags });
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`ledger-mirror ${command.name}: ${message}\n`);
    if (error instanceof UsageError) return 2;
    if (process.env.LEDGER_MIRROR_LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`);
    return 1;
  }
}
