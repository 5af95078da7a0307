// A command in this process, as src/cli/main.ts runs it: what it prints and logs, and its exit code. Loading the program
// costs a process most of a second, so tables of cases are asked here, and one case of each kind as a process
// (run-mirror.ts). What only a process has is not tested here: signals, pipes, memory, other users, how it ends.
import { escapeControls } from '../../../packages/kit/escape-controls.ts';
import { createLog } from '../../../packages/kit/process/log.ts';
import { loadCommand } from '../../../src/cli/load-command.ts';
import { splitArguments } from '../../../src/cli/split-arguments.ts';
import { loadSettings } from '../../../src/runtime/settings/load-settings.ts';
import { UsageError } from '../../../src/runtime/settings/usage-error.ts';

export type RunHereOptions = {
  /** Nothing of this process's own is taken. */
  env?: Record<string, string>;
  /** What relative paths are relative to. */
  cwd?: string;
};

/** `output`: lines of result, log and error, in order. */
export async function runHere(
  [name = '', ...rest]: readonly string[],
  { env = {}, cwd = process.cwd() }: RunHereOptions = {},
): Promise<{ code: number; output: string }> {
  const command = await loadCommand(name);
  if (!command) throw new Error(`There is no command ${name}`);
  const before = process.cwd();
  let output = '';
  const say = (text: string): void => {
    output += text;
  };
  process.chdir(cwd);
  try {
    const given = command.flags ? splitArguments(rest, command.flags) : { words: [], flags: {}, settings: rest };
    const settings = loadSettings(command.name, given.settings, env);
    const log = createLog({ level: settings.get('log-level'), format: 'text', target: { write: say } });
    const controller = new AbortController();
    const shutdown = { signal: controller.signal, request: () => controller.abort() };
    const print = (line: string): void => say(`${escapeControls(line)}\n`);
    const code = await command.run({ settings, log, shutdown, print, words: given.words, flags: given.flags });
    return { code, output };
  } catch (error) {
    say(`${escapeControls(`ledger-mirror ${command.name}: ${(error as Error).message}`)}\n`);
    return { code: error instanceof UsageError ? 2 : 1, output };
  } finally {
    process.chdir(before);
  }
}
