// Contracts and their sources: a family of commands.
import { UsageError } from '../runtime/settings/usage-error.ts';
import type { Command, CommandContext } from './command.ts';
import type { OwnFlag } from './split-arguments.ts';

/** Each is loaded when it runs. */
const operations: Record<string, (context: CommandContext) => Promise<0 | 1>> = {
  import: async (context) => (await import('./contract-import-command.ts')).runContractImportCommand(context),
};

const flags: Record<string, OwnFlag> = {
  from: {
    placeholder: '<folder or file>',
    description: "Sourcify's export: its parquet files, or the folder that has contracts/full_match.",
  },
  chain: {
    placeholder: '<id>',
    description: 'Chain whose matches are imported. Can be repeated. Default: the mirrored chain.',
  },
  limit: { placeholder: '<number>', description: 'Number of checks after which the import ends.' },
  'dry-run': { placeholder: '', description: 'Reads everything and says what would be checked; stores nothing.' },
  again: { placeholder: '', description: 'Checks also what an earlier import has refused.' },
};

export const contractCommand: Command = {
  name: 'contract',
  summary: 'Imports verified contracts of an export.',
  description: `
"contract import" reads the matches that Sourcify has published, as parquet files or as folders, compiles each again and
compares it with the code of this mirror's ledger. What matches is stored and served as verified; what does not is listed with
the reason. It works beside a running mirror, can be ended at any time, and goes on where it ended when it is started again.
The exit code is 0 when every match was checked, whatever the result, and 1 when something could not be: damaged files,
compilers that are not here, an interrupted run. docs/guides/verify-contracts.md describes the export.

  ledger-mirror contract import --from ./sourcify-export --verify-download npm
  ledger-mirror contract import --from ./sourcify-export --chain 295 --dry-run`,
  flags,
  async run(context) {
    const { words } = context;
    const operation = words.length === 1 ? operations[words[0]!] : undefined;
    if (operation !== undefined && Object.hasOwn(operations, words[0]!)) return operation(context);
    const known = Object.keys(operations)
      .map((name) => `"contract ${name}"`)
      .join(', ');
    throw new UsageError(`"${['contract', ...words].join(' ')}" is not a command; there is ${known}. Add --help.`);
  },
};
