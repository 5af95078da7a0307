// What a command of the program is.

import type { Logger } from '../../packages/kit/process/log.ts';
import type { Shutdown } from '../../packages/kit/process/shutdown.ts';
import type { CommandName } from '../runtime/settings/families/commands.ts';
import type { Settings } from '../runtime/settings/load-settings.ts';
import type { OwnFlag } from './split-arguments.ts';

export type CommandContext = {
  settings: Settings;
  log: Logger;
  shutdown: Shutdown;
  /** Writes a line of result to standard output. */
  print(line: string): void;
  /** Only for commands with further flags: the arguments beside the settings. */
  words: string[];
  flags: Record<string, string[]>;
};

export type Command = {
  name: CommandName;
  /** One sentence. */
  summary: string;
  /** What a new user should know, with an example; several lines. */
  description: string;
  /** Flags that are not settings; a command that has them also takes words. */
  flags?: Record<string, OwnFlag>;
  /** Resolves to the exit code: 0 or 1. Throws UsageError for 2; any other error is printed and gives 1. */
  run(context: CommandContext): Promise<0 | 1>;
};
