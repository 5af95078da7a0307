// `contract verify`: contracts from what the tools of their authors left on disk, by a mirror that runs.
import type { CommandContext } from './command.ts';
import { formatVerification } from './contract/format-verification.ts';
import { runVerifications } from './contract/run-verifications.ts';
import type { ContractVerification } from './contract/verify-contract.ts';
import { openProgressLine } from './progress-line.ts';

export async function runContractVerifyCommand(context: CommandContext): Promise<0 | 1> {
  const { words, print, flags: given } = context;
  const results = await verify(context, words.slice(1));
  if (given.json?.length) print(JSON.stringify({ verified: results.every(isVerified), results }, null, 2));
  return results.every(isVerified) ? 0 : 1;
}

function isVerified(result: ContractVerification): boolean {
  return result.isVerified;
}

async function verify(context: CommandContext, words: string[]): Promise<ContractVerification[]> {
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
