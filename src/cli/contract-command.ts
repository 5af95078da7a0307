// Verification of contracts from what the tools of their authors left on disk, by a mirror that runs.
import { UsageError } from '../runtime/settings/usage-error.ts';
import type { Command, CommandContext } from './command.ts';
import type { ContractVerification } from './contract/verify-contract.ts';
import type { OwnFlag } from './split-arguments.ts';

const flags: Record<string, OwnFlag> = {
  mirror: { placeholder: '<url>', description: 'The mirror. Default: http://127.0.0.1:5551.' },
  contract: {
    placeholder: '<path:Name>',
    description: 'The contract, where a build has several; the name alone if there is one of it.',
  },
  input: { placeholder: '<file>', description: "The compiler's standard JSON input, instead of a build." },
  compiler: { placeholder: '<version>', description: 'Its compiler, such as 0.8.24 or v0.8.24+commit.e11b9ed9.' },
  chain: { placeholder: '<id>', description: 'The chain. Default: the one that the mirror mirrors.' },
  'creation-transaction': {
    placeholder: '<hash>',
    description: 'The transaction that created the contract, for chains that do not tell.',
  },
  all: { placeholder: '', description: 'Verify every contract that the project has deployed.' },
  deployments: {
    placeholder: '<file>',
    description: 'For --all: deployed_addresses.json of Ignition or run-latest.json of a broadcast. Can be repeated.',
  },
  json: { placeholder: '', description: 'Print the results as one JSON document.' },
};

export const contractCommand: Command = {
  name: 'contract',
  summary: 'Verifies contracts from builds of Hardhat and Foundry, or from standard JSON, on a running mirror.',
  description: `
"contract verify" takes the address of a contract (0x… or 0.0.N) and what it was built from: a project, the folder of a tool's
output, or one file of it (artifacts/build-info/*.json, out/<File>.sol/<Name>.json). Default: the current folder. The mirror
compiles the sources and compares; the answer says what matched, or what differs and where. Exit code 0 when every contract is
verified, 1 when one is not, 2 when the call is wrong or a file is not what it should be.

  ledger-mirror contract verify 0.0.1234 ./my-project --contract Vault
  ledger-mirror contract verify 0x00000000000000000000000000000000000004d2 out/Vault.sol/Vault.json
  ledger-mirror contract verify 0.0.1234 --input vault.json --compiler 0.8.24 --contract src/Vault.sol:Vault

With --all it verifies what the project has deployed to the chain: ignition/deployments/chain-<id> and
broadcast/*/<id>/run-latest.json are looked for, or named with --deployments.

  ledger-mirror contract verify --all ./my-project --mirror https://mirror.example.org`,
  flags,
  async run(context) {
    const { words, print, flags: given } = context;
    const [operation, ...rest] = words;
    if (operation !== 'verify') {
      throw new UsageError(
        `"contract ${operation ?? ''}" is not a command. There is "ledger-mirror contract verify <address> [<project or file>]".`,
      );
    }
    const results = await verify(context, rest);
    if (given.json?.length) print(JSON.stringify({ verified: results.every(isVerified), results }, null, 2));
    return results.every(isVerified) ? 0 : 1;
  },
};

function isVerified(result: ContractVerification): boolean {
  return result.isVerified;
}

/** Loaded late: help does without it. */
async function verify(context: CommandContext, words: string[]): Promise<ContractVerification[]> {
  const { runVerifications } = await import('./contract/run-verifications.ts');
  const { formatVerification } = await import('./contract/format-verification.ts');
  const { openProgressLine } = await import('./progress-line.ts');
  const { flags: given, shutdown, print } = context;
  const asJson = (given.json?.length ?? 0) > 0;
  const progress = openProgressLine(context);
  try {
    return await runVerifications({
      words,
      flags: given,
      signal: shutdown.signal,
      onProgress: progress.update,
      onResult(result) {
        progress.clear();
        if (!asJson) for (const line of formatVerification(result)) print(line);
      },
    });
  } finally {
    progress.clear();
  }
}
