// Contracts and their sources: a family of commands.
import { UsageError } from '../runtime/settings/usage-error.ts';
import type { Command, CommandContext } from './command.ts';
import type { OwnFlag } from './split-arguments.ts';

type Operation = {
  /** Its own flags. */
  flags: readonly string[];
  run(context: CommandContext): Promise<0 | 1>;
};

/** Each is loaded when it runs: help does without it. */
const operations: Record<string, Operation> = {
  verify: {
    flags: ['mirror', 'contract', 'input', 'compiler', 'creation-transaction', 'all', 'deployments', 'json', 'chain'],
    run: async (context) => (await import('./contract-verify-command.ts')).runContractVerifyCommand(context),
  },
  import: {
    flags: ['from', 'limit', 'dry-run', 'again', 'chain'],
    run: async (context) => (await import('./contract-import-command.ts')).runContractImportCommand(context),
  },
};

const flags: Record<string, OwnFlag> = {
  mirror: { placeholder: '<url>', description: 'verify: the mirror. Default: http://127.0.0.1:5551.' },
  contract: {
    placeholder: '<path:Name>',
    description: 'verify: the contract, where a build has several; the name alone if there is one of it.',
  },
  input: { placeholder: '<file>', description: "verify: the compiler's standard JSON input, instead of a build." },
  compiler: {
    placeholder: '<version>',
    description: 'verify: the compiler of --input, such as 0.8.24 or v0.8.24+commit.e11b9ed9.',
  },
  'creation-transaction': {
    placeholder: '<hash>',
    description: 'verify: the transaction that created the contract, for chains that do not tell.',
  },
  all: { placeholder: '', description: 'verify: every contract that the project has deployed.' },
  deployments: {
    placeholder: '<file>',
    description:
      'verify --all: deployed_addresses.json of Ignition or run-latest.json of a broadcast. Can be repeated.',
  },
  json: { placeholder: '', description: 'verify: print the results as one JSON document.' },
  from: {
    placeholder: '<folder or file>',
    description: "import: Sourcify's export, its parquet files or the folder that has contracts/full_match.",
  },
  limit: { placeholder: '<number>', description: 'import: number of checks after which it ends.' },
  'dry-run': { placeholder: '', description: 'import: read everything and say what would be checked; store nothing.' },
  again: { placeholder: '', description: 'import: check also what an earlier import has refused.' },
  chain: {
    placeholder: '<id>',
    description: 'The chain; for import it can be repeated. Default: the one that the mirror mirrors.',
  },
};

export const contractCommand: Command = {
  name: 'contract',
  summary: 'Verifies contracts from builds of Hardhat and Foundry, or from an export of Sourcify.',
  description: `
"contract verify" takes the address of a contract (0x… or 0.0.N) and what it was built from: a project, the folder of a tool's
output, or one file of it (artifacts/build-info/*.json, out/<File>.sol/<Name>.json). Default: the current folder. A running
mirror compiles the sources and compares; the answer says what matched, or what differs and where. Exit code 0 when every
contract is verified, 1 when one is not, 2 when the call is wrong or a file is not what it should be.

  ledger-mirror contract verify 0.0.1234 ./my-project --contract Vault
  ledger-mirror contract verify 0x00000000000000000000000000000000000004d2 out/Vault.sol/Vault.json
  ledger-mirror contract verify 0.0.1234 --input vault.json --compiler 0.8.24 --contract src/Vault.sol:Vault

With --all it verifies what the project has deployed to the chain: ignition/deployments/chain-<id> and
broadcast/*/<id>/run-latest.json are looked for, or named with --deployments.

  ledger-mirror contract verify --all ./my-project --mirror https://mirror.example.org

"contract import" reads the matches that Sourcify has published, as parquet files or as folders, compiles each again and
compares it with the code of this mirror's ledger. What matches is stored and served as verified; what does not is listed with
the reason. It works beside a running mirror, can be ended at any time, and goes on where it ended when it is started again.
The exit code is 0 when every match was checked, whatever the result, and 1 when something could not be: damaged files,
compilers that are not here, an interrupted run. docs/guides/verify-contracts.md describes the export.

  ledger-mirror contract import --from ./sourcify-export --verify-download npm
  ledger-mirror contract import --from ./sourcify-export --chain 295 --dry-run`,
  flags,
  async run(context) {
    const { words, flags: given } = context;
    const [name = '', ...others] = words;
    const operation = Object.hasOwn(operations, name) ? operations[name]! : null;
    if (operation === null || (name === 'import' && others.length > 0)) {
      const known = Object.keys(operations)
        .map((one) => `"contract ${one}"`)
        .join(', ');
      throw new UsageError(`"${['contract', ...words].join(' ')}" is not a command; there is ${known}. Add --help.`);
    }
    const foreign = Object.keys(given).find((flag) => given[flag]!.length > 0 && !operation.flags.includes(flag));
    if (foreign !== undefined) throw new UsageError(`"contract ${name}" has no --${foreign}. Add --help.`);
    return operation.run(context);
  },
};
