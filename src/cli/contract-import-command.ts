// `ledger-mirror contract import`: matches of an export, checked again and stored.
import { runContractImport } from '../runtime/contracts/run-contract-import.ts';
import { UsageError } from '../runtime/settings/usage-error.ts';
import type { CommandContext } from './command.ts';
import { createContractImportText } from './contract-import-text.ts';
import { describeContractImport } from './describe-contract-import.ts';
import { openProgressLine } from './progress-line.ts';

export async function runContractImportCommand(context: CommandContext): Promise<0 | 1> {
  const { settings, log, shutdown, print, flags } = context;
  const from = flags.from?.at(-1);
  if (from === undefined) throw new UsageError('--from <folder or file> is needed: the export that is imported');
  const chains = (flags.chain ?? []).flatMap((text) => text.split(',')).map((text) => readNumber('chain', text.trim()));
  const limit = flags.limit?.at(-1);
  const isDryRun = (flags['dry-run'] ?? []).length > 0;
  const line = openProgressLine(context);
  const text = createContractImportText();
  try {
    const result = await runContractImport({
      settings,
      log,
      signal: shutdown.signal,
      from,
      chains: [...new Set(chains)],
      isDryRun,
      isAgain: (flags.again ?? []).length > 0,
      limit: limit === undefined ? null : Number(readNumber('limit', limit)),
      onStep: (step) => line.update(step),
      onProgress: (progress) => line.update(text(progress)),
    });
    line.end();
    const { lines, exitCode } = describeContractImport(result, isDryRun);
    for (const one of lines) print(one);
    return exitCode;
  } finally {
    line.end();
  }
}

function readNumber(name: string, text: string): string {
  if (/^[1-9]\d{0,15}$/.test(text)) return text;
  throw new UsageError(`--${name} must be a whole number above 0, not "${text}"`);
}
