import { checkBeforeStart } from '../runtime/check-before-start.ts';
import { openStore } from '../runtime/database/open-store.ts';
import { refuseUnfinishedBootstrap } from '../runtime/database/refuse-unfinished-bootstrap.ts';
import { settleExtent } from '../runtime/database/settle-extent.ts';
import { settleNetwork } from '../runtime/database/settle-network.ts';
import { runImport } from '../runtime/import/run-import.ts';
import { attachImportStatus } from '../runtime/status/attach-status.ts';
import type { CommandContext } from './command.ts';
import { describeImport } from './describe-import.ts';
import { createImportProgressText } from './import-progress-text.ts';
import { openProgressLine } from './progress-line.ts';

export async function runImportCommand(context: CommandContext): Promise<0 | 1> {
  const { settings, log, shutdown, print } = context;
  // Refused before anything is opened.
  settings.get('source');
  await checkBeforeStart({ settings, log, signal: shutdown.signal, serves: false, imports: true });
  const observer = await openHealth(context);
  const store = await openStore({ settings, log, signal: shutdown.signal });
  const line = openProgressLine(context);
  let status: ReturnType<typeof attachImportStatus> = null as ReturnType<typeof attachImportStatus>;
  const format = createImportProgressText();
  try {
    await refuseUnfinishedBootstrap(store.connectionString);
    const network = await settleNetwork({ connectionString: store.connectionString, settings, log, imports: true });
    let isFilled = false;
    const extent = await settleExtent({ connectionString: store.connectionString, settings });
    const summary = await runImport({
      connectionString: store.connectionString,
      settings,
      extent,
      ...observer?.health,
      mayBlock: true,
      log,
      signal: shutdown.signal,
      onObserved(observer) {
        const { connectionString } = store;
        status = attachImportStatus({ settings, log, networkName: network.name, connectionString, observer });
      },
      onProgress(progress) {
        line.update(format(progress));
        observer?.health.onProgress(progress);
      },
      onStored(block) {
        isFilled = block !== null;
        observer?.health.onStored(block);
      },
    });
    line.end();
    const { text, exitCode } = describeImport(
      summary,
      isFilled || extent.start.kind === 'genesis' ? null : extent.start,
    );
    print(text);
    return exitCode;
  } finally {
    line.end();
    await status?.close();
    await store.close();
    await observer?.close();
  }
}

async function openHealth({ settings, log, shutdown, print }: CommandContext) {
  const port = settings.find('health-port');
  if (port === undefined) return null;
  // A quarter of the modules of an import.
  const { serveImportHealth } = await import('../runtime/import/import-health.ts');
  const observer = await serveImportHealth({
    ...{ port, host: settings.get('host'), clusterId: settings.find('cluster-id') ?? null },
    ...{ requiresProof: settings.get('require-proof'), log, signal: shutdown.signal },
  });
  print(`Health on ${observer.url}/health/readiness, metrics on ${observer.url}/metrics`);
  return observer;
}
