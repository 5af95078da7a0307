import { findFreeBytes } from '../runtime/database/free-bytes.ts';
import { openStore } from '../runtime/database/open-store.ts';
import { settleNetwork } from '../runtime/database/settle-network.ts';
import { UsageError } from '../runtime/settings/usage-error.ts';
import { checkLastBlock } from '../runtime/transfer/check-last-block.ts';
import { examineLedger } from '../runtime/transfer/examine-ledger.ts';
import { readFilePlaceAddress } from '../runtime/transfer/file-place-address.ts';
import { findExportedNetwork } from '../runtime/transfer/find-exported-network.ts';
import { readTransferMode } from '../runtime/transfer/read-mode.ts';
import {
  type BootstrapPlan,
  estimateBootstrap,
  planBootstrap,
  runBootstrap,
  tellColumns,
} from '../runtime/transfer/run-bootstrap.ts';
import type { CommandContext } from './command.ts';
import {
  describeBootstrapPlan,
  describeBootstrapSummary,
  describeEstimate,
  describeExportedLedger,
  describeUnusable,
} from './describe-bootstrap.ts';
import { describeDownloadCost } from './describe-download-cost.ts';
import { openProgressLine } from './progress-line.ts';
import { createTransferProgressText } from './transfer-progress-text.ts';

export async function runBootstrapCommand(context: CommandContext): Promise<0 | 1> {
  const { settings, log, shutdown, print, words, flags } = context;
  if (words.length > 0) throw new UsageError(`"${words[0]}" is no setting. Name the export with --from.`);
  const [text, ...others] = flags.from!;
  if (text === undefined || others.length > 0)
    throw new UsageError('--from <folder|s3://...|gs://...> is needed, once');
  const from = readFilePlaceAddress(text, '--from', settings);
  const mode = readTransferMode(settings);
  const { signal } = shutdown;
  const plan = await planBootstrap({ from, mode, signal });
  for (const sentence of describeBootstrapPlan(plan, mode)) print(sentence);
  for (const sentence of describeDownloadCost(from, sizeOf(plan))) print(sentence);
  await tellColumns(plan, { signal, warn: (sentence) => log.warn(sentence) });
  const store = await openStore({ settings, log, signal });
  const line = openProgressLine(context);
  const format = createTransferProgressText();
  try {
    const { connectionString } = store;
    const exported = await findExportedNetwork(plan, { connectionString, signal });
    if (exported?.name) print(`The export is of the network ${exported.name}.`);
    await settleNetwork({ connectionString, settings, log, imports: false, exported });
    const ledgerId = settings.find('ledger-id') ?? null;
    const ledger = await examineLedger(plan, { connectionString, pinned: ledgerId, signal });
    for (const sentence of describeExportedLedger(ledger, ledgerId !== null)) print(sentence);
    const estimate = await estimateBootstrap(plan, { connectionString, signal });
    for (const sentence of describeEstimate(estimate, findFreeBytes(settings))) print(sentence);
    if (settings.get('dry-run')) {
      const unusable = describeUnusable(plan);
      for (const sentence of unusable) print(sentence);
      return unusable.length === 0 ? 0 : 1;
    }
    const summary = await runBootstrap(
      {
        connectionString,
        from,
        mode,
        accepted: settings.get('accept'),
        ledgerId,
        maxRowBytes: settings.get('max-row-size') * 2 ** 20,
        checkStream: () => checkLastBlock({ connectionString, settings, log, signal }),
        signal,
        tell: (sentence) => log.info(sentence),
        warn: (sentence) => log.warn(sentence),
        onProgress: (progress) => line.update(format(progress)),
        onIndexes: ({ index, done }) => line.update(`index ${index} · ${Math.floor(done * 100)} % of all`),
      },
      plan,
    );
    line.end();
    if (!summary) {
      print('Stopped. The same command goes on.');
      return 1;
    }
    if (summary.failed.length === 0) await settleNetwork({ connectionString, settings, log, imports: true });
    const { sentences, exitCode } = describeBootstrapSummary(summary, settings.get('accept'));
    for (const sentence of sentences) print(sentence);
    return exitCode;
  } finally {
    line.end();
    await store.close();
  }
}

/** Bytes that are read of the place. */
function sizeOf({ files }: BootstrapPlan): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
