import cluster from 'node:cluster';
import { once } from 'node:events';
import { checkBeforeStart } from '../runtime/check-before-start.ts';
import { openForeignStore, openStore } from '../runtime/database/open-store.ts';
import { settleNetwork } from '../runtime/database/settle-network.ts';
import { startServer } from '../runtime/serve/start-server.ts';
import { superviseWorkers } from '../runtime/serve/supervise-workers.ts';
import { tellEmptyLedger } from '../runtime/serve/tell-empty-ledger.ts';
import { openWorkerLink } from '../runtime/workers/worker-link.ts';
import type { CommandContext } from './command.ts';
import { describeHieroPlace } from './describe-hiero-place.ts';
import { simulatedExplorerFolder } from './simulated-folder.ts';

export async function runServeCommand(context: CommandContext): Promise<0 | 1> {
  if (cluster.isWorker) return serveAsWorker(context);
  const { settings, log, shutdown, print } = context;
  await checkBeforeStart({ settings, log, signal: shutdown.signal, serves: true, imports: false });
  const store = settings.get('read-only')
    ? await openForeignStore({ settings, log })
    : await openStore({ settings, log, signal: shutdown.signal, mayBeNewer: true });
  try {
    const { connectionString, schemaGaps } = store;
    const network = await settleNetwork({ connectionString, settings, log, imports: false });
    const start = settings.get('workers') > 1 ? superviseWorkers : startServer;
    const server = await start({
      connectionString,
      schemaGaps,
      settings,
      log,
      network,
      observer: null,
      signal: shutdown.signal,
      simulatedExplorer: simulatedExplorerFolder(settings),
    });
    await tellEmptyLedger(server.db, log);
    print(`Answering on ${server.url}`);
    const hieroPlace = describeHieroPlace(settings, server.url);
    if (hieroPlace !== null) print(hieroPlace);
    for (const place of server.places) print(place);
    if (!shutdown.signal.aborted) await once(shutdown.signal, 'abort');
    await server.close();
  } finally {
    await store.close();
  }
  return 0;
}

async function serveAsWorker({ settings, log, shutdown }: CommandContext): Promise<0> {
  const { signal } = shutdown;
  const worker = await openWorkerLink(() => shutdown.request('the service ends'));
  const server = await startServer({
    ...worker.start,
    settings,
    log,
    observer: null,
    worker,
    signal,
    simulatedExplorer: simulatedExplorerFolder(settings),
  });
  if (!signal.aborted) await once(signal, 'abort');
  await server.close();
  process.disconnect();
  return 0;
}
