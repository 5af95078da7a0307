// Splits the arguments of a command that has words and further flags beside the settings.
import { parseArgs } from 'node:util';
import { settingsTable } from '../runtime/settings/settings-table.ts';
import { UsageError } from '../runtime/settings/usage-error.ts';

export type OwnFlag = {
  /** Empty: it takes no value. */
  placeholder: string;
  description: string;
};

export type SplitArguments = {
  /** Arguments without dashes. */
  words: string[];
  /** Values of the command's own flags, in the order in which they were given; of one without a value `true` for each time. */
  flags: Record<string, string[]>;
  /** The rest: the settings. */
  settings: string[];
};

export function splitArguments(argv: string[], ownFlags: Record<string, OwnFlag>): SplitArguments {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {};
  for (const [name, { placeholder }] of Object.entries(settingsTable)) {
    options[name] = { type: placeholder === '' ? 'boolean' : 'string' };
  }
  for (const [name, { placeholder }] of Object.entries(ownFlags)) {
    options[name] = { type: placeholder === '' ? 'boolean' : 'string', multiple: true };
  }
  const { positionals, values, tokens } = parse(argv, options);
  const flags = Object.fromEntries(
    Object.keys(ownFlags).map((name) => [name, ((values[name] ?? []) as (string | boolean)[]).map(String)]),
  );
  const settings = tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.name in ownFlags) return [];
    return [token.value === undefined ? token.rawName : `--${token.name}=${token.value}`];
  });
  return { words: positionals, flags, settings };
}

function parse(argv: string[], options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>) {
  try {
    return parseArgs({ args: argv, options, strict: true, allowNegative: true, allowPositionals: true, tokens: true });
  } catch (error) {
    const [first] = (error as Error).message.split('. ');
    throw new UsageError(`${first}. Add --help to see what it takes.`);
  }
}
