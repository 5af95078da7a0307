// Help texts: of the program and of each command, made from the tables, for a terminal of a given width.
import type { CommandSetting } from '../runtime/settings/families/commands.ts';
import { type SettingName, settingGroups, settingsTable } from '../runtime/settings/settings-table.ts';
import type { Command } from './command.ts';

export type HelpOptions = {
  /** How the program is called here, for lines that can be copied. */
  program: string;
  /** Characters in a line. */
  width: number;
};

export type CommandGroup = { title: string; commands: readonly Command[] };

/** `ledger-mirror --help`. */
export function formatProgramHelp(groups: readonly CommandGroup[], { program, width }: HelpOptions): string {
  const nameWidth = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length))) + 4;
  const formatEntry = ({ name, summary }: Command): string =>
    `  ${name}`.padEnd(nameWidth) + wrapText(summary, width, ' '.repeat(nameWidth)).trimStart();
  return [
    `Usage: ${program} <command> [settings]`,
    wrapText(
      'A mirror of a public ledger: reads its stream files, proves them, keeps them in PostgreSQL and answers queries over HTTP.',
      width,
    ),
    ...groups.map(({ title, commands }) => `${title}\n${commands.map(formatEntry).join('\n')}`),
    wrapText(
      `"${program} <command> --help" lists the settings of a command. Each can also be an environment variable (LEDGER_MIRROR_PORT for --port) or stand in ledger-mirror.config.json. "--version" prints the version. Exit codes: 0 done, 1 failed, 2 called wrongly.`,
      width,
    ),
  ].join('\n\n');
}

/** `ledger-mirror <command> --help`. */
export function formatCommandHelp(command: Command, options: HelpOptions): string {
  const { program, width } = options;
  const groups = settingGroups.flatMap(({ title, names }) => {
    const entries = names
      .filter((name) => (settingsTable[name] as CommandSetting).commands.includes(command.name))
      .map((name) => formatSetting(name, settingsTable[name] as CommandSetting, width));
    return entries.length > 0 ? [`${title}\n${entries.join('\n')}`] : [];
  });
  const own = Object.entries(command.flags ?? {}).map(([name, { placeholder, description }]) =>
    formatFlag(`--${name} ${placeholder}`.trimEnd(), description, width),
  );
  return [
    `Usage: ${program} ${command.name}${command.flags ? ' [words]' : ''} [settings]`,
    wrapText(command.summary, width),
    formatDescription(command.description, options),
    ...(own.length > 0 ? [`Flags\n${own.join('\n')}`] : []),
    ...groups,
  ].join('\n\n');
}

/**
 * Paragraphs are wrapped; indented lines can be copied, so they are not wrapped and name the program as it is called
 * here.
 */
function formatDescription(description: string, { program, width }: HelpOptions): string {
  return description
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph.startsWith('  ')
        ? paragraph.replaceAll(/^( {2}(?:\w+=\S+ )?)ledger-mirror /gm, `$1${program} `)
        : wrapText(paragraph, width),
    )
    .join('\n\n');
}

function formatSetting(name: SettingName, setting: CommandSetting, width: number): string {
  const fallback =
    setting.defaultText ?? (setting.default === undefined || setting.default === false ? '' : `${setting.default}`);
  const text = `${setting.description}${fallback ? ` Default: ${fallback}.` : ''}`;
  return formatFlag(`--${name}${setting.placeholder ? ` ${setting.placeholder}` : ''}`, text, width);
}

function formatFlag(head: string, text: string, width: number): string {
  return `  ${head}\n${wrapText(text, width, '      ')}`;
}

/** Breaks prose into indented lines of at most `width` characters; a longer word stands alone. */
function wrapText(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  if (line !== '') lines.push(indent + line);
  return lines.join('\n');
}
