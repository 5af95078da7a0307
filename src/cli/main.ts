// The program: finds the command and its settings, runs it, and turns its end into an exit code: 0 done, 1 failed, 2
// called wrongly, 141 the reader of its output is gone.
import { relative } from 'node:path';
import { escapeControls } from '../../packages/kit/escape-controls.ts';
import { createLog, type LogOptions } from '../../packages/kit/process/log.ts';
import { applyMemoryFlags } from '../../packages/kit/process/memory-flags.ts';
import { createShutdown } from '../../packages/kit/process/shutdown.ts';
import { watchClock } from '../../packages/kit/process/watch-clock.ts';
import { readProgramVersion } from '../runtime/program-version.ts';
import { loadSettings, readLogFormat } from '../runtime/settings/load-settings.ts';
import { UsageError } from '../runtime/settings/usage-error.ts';
import { brokenPipeExitCode, logEverything, watchForBrokenPipe } from './broken-pipe.ts';
import { formatCommandHelp, formatProgramHelp, type HelpOptions } from './format-help.ts';
import { loadCommand, loadCommandGroups } from './load-command.ts';
import { splitArguments } from './split-arguments.ts';

applyMemoryFlags(process.argv[2]);
process.exitCode = await main(process.argv.slice(2));
// An open handle must not keep a finished command alive.
setTimeout(() => process.exit(), 2000).unref();

async function main(argv: string[]): Promise<number> {
  const [name, ...rest] = argv;
  let isPipeBroken = false;
  let onBrokenPipe = (): void => process.exit(brokenPipeExitCode);
  watchForBrokenPipe([process.stdout, process.stderr], () => {
    isPipeBroken = true;
    onBrokenPipe();
  });
  const help: HelpOptions = { program: programName(), width: helpWidth() };
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(`${formatProgramHelp(await loadCommandGroups(), help)}\n`);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-V' || name === 'version') {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const format = readLogFormat(rest, process.env);
  const command = await loadCommand(name);
  if (!command) {
    writeError(format, `ledger-mirror: unknown command "${name}". "${help.program} --help" lists the commands.`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`${formatCommandHelp(command, help)}\n`);
    return 0;
  }
  try {
    const given = command.flags ? splitArguments(rest, command.flags) : { words: [], flags: {}, settings: rest };
    const settings = loadSettings(command.name, given.settings, process.env);
    const logFormat = settings.get('log-format');
    const log = createLog({ level: settings.get('log-level'), format: logFormat });
    logEverything(log);
    watchClock({ log });
    const shutdown = createShutdown({
      onRequest: (reason) => log[isPipeBroken ? 'debug' : 'info']({ reason }, 'stopping'),
    });
    onBrokenPipe = () => shutdown.request('the reader of the output is gone');
    const print = (line: string): void => void process.stdout.write(`${formatResult(logFormat, line)}\n`);
    const code = await command.run({ settings, log, shutdown, print, words: given.words, flags: given.flags });
    return isPipeBroken ? brokenPipeExitCode : code;
  } catch (error) {
    if (isPipeBroken) return brokenPipeExitCode;
    writeError(format, `ledger-mirror ${command.name}: ${(error as Error).message}`);
    if (error instanceof UsageError) return 2;
    if (process.env.LEDGER_MIRROR_LOG_LEVEL === 'debug') writeError(format, `${(error as Error).stack}`);
    return 1;
  }
}

type LogFormat = LogOptions['format'];

/** Results follow the log's format too, so that a program that reads both gets only JSON. */
function formatResult(format: LogFormat, line: string): string {
  return format === 'json' ? JSON.stringify({ level: 30, time: Date.now(), msg: line }) : escapeControls(line);
}

function writeError(format: LogFormat, sentence: string): void {
  const line =
    format === 'json' ? JSON.stringify({ level: 60, time: Date.now(), msg: sentence }) : escapeControls(sentence);
  process.stderr.write(`${line}\n`);
}

/** As it was called: the launcher says how; without it, the name of this file. */
function programName(): string {
  const path = relative(process.cwd(), process.argv[1] ?? '');
  return process.env.LEDGER_MIRROR_COMMAND ?? `node ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}

function helpWidth(): number {
  return Math.min(110, Math.max(50, process.stdout.columns ?? 80));
}

function readVersion(): string {
  return `ledger-mirror ${readProgramVersion()} (Node ${process.versions.node})`;
}
