// Help texts: the program's own and each command's, made from the tables.
import type { Setting } from '../runtime/settings/setting.ts';
import { settingsTable } from '../runtime/settings/settings-table.ts';
import type { Command } from './command.ts';

/** `ledger-mirror --help`. */
export function formatProgramHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return `Usage: ledger-mirror <command> [settings]

A mirror of a public ledger: reads its stream files, proves them, keeps them in PostgreSQL and answers queries over HTTP.

Commands
${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

"ledger-mirror <command> --help" lists the settings of a command. Each can also be an environment variable
(LEDGER_MIRROR_PORT for --port) or stand in ledger-mirror.config.json. Exit codes: 0 done, 1 failed, 2 called wrongly.`;
}

/** `ledger-mirror <command> --help`. */
export function formatCommandHelp(command: Command): string {
  const lines = (Object.entries(settingsTable) as [string, Setting<unknown>][])
    .filter(([, setting]) => setting.commands.includes(command.name))
    .map(([name, setting]) => {
      const fallback =
        setting.defaultText ?? (setting.default === undefined || setting.default === false ? '' : `${setting.default}`);
      const head = `  --${name}${setting.placeholder ? ` ${setting.placeholder}` : ''}`;
      return `${head}\n      ${setting.description}${fallback ? ` Default: ${fallback}.` : ''}`;
    });
  const own = Object.entries(command.flags ?? {}).map(
    ([name, { placeholder, description }]) => `  --${name} ${placeholder}\n      ${description}`,
  );
  return `Usage: ledger-mirror ${command.name}${command.flags ? ' [words]' : ''} [settings]

${command.summary}
${command.description}
${own.length > 0 ? `\nFlags\n${own.join('\n')}\n` : ''}
Settings
${lines.join('\n')}`;
}
