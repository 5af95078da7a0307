import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Registry } from 'prom-client';
import { checkBeforeStart } from '../runtime/check-before-start.ts';
import { openStore } from '../runtime/database/open-store.ts';
import { refuseUnfinishedBootstrap } from '../runtime/database/refuse-unfinished-bootstrap.ts';
import { type SettledExtent, settleExtent } from '../runtime/database/settle-extent.ts';
import { settleNetwork } from '../runtime/database/settle-network.ts';
import { createImportHealth, type ImportHealth } from '../runtime/import/import-health.ts';
import { runImport } from '../runtime/import/run-import.ts';
import { startServer } from '../runtime/serve/start-server.ts';
import { withDefaults } from '../runtime/settings/load-settings.ts';
import { openSource, readSourceOptions } from '../runtime/sources/open-source.ts';
import { createImportWatch } from '../runtime/status/signals/import-signals.ts';
import { createSourceLook, type ImportObserver } from '../runtime/status/signals/read-importer.ts';
import type { CommandContext } from './command.ts';
import { describeHieroPlace } from './describe-hiero-place.ts';
import { createImportProgressText } from './import-progress-text.ts';
import { openSimulatedNetwork } from './open-simulated-network.ts';
import { openProgressLine } from './progress-line.ts';
import { simulatedExplorerFolder, simulatedFolder } from './simulated-folder.ts';

/** Days of history that a new simulated network gets, so that there is something to ask about. */
export const historyDays = 3;

/** What is kept of a simulated network that runs on: some 0.8 GB a day. */
const keptDays = 7n;
const dayNs = 86_400_000_000_000n;

export async function runStartCommand(given: CommandContext): Promise<0 | 1> {
  const simulated = given.settings.find('source') === undefined;
  const settings = simulated ? withDefaults(given.settings, { keep: keptDays * dayNs }) : given.settings;
  const context = { ...given, settings };
  const { log, shutdown, print } = context;
  await checkBeforeStart({ settings, log, signal: shutdown.signal, serves: true, imports: true });
  print(
    `Starting the database${settings.find('database-url') === undefined ? ` in ${settings.get('data-dir')}` : ''} …`,
  );
  const store = await openStore({ settings, log, signal: shutdown.signal });
  try {
    const { connectionString } = store;
    await refuseUnfinishedBootstrap(connectionString);
    const network = await settleNetwork({ connectionString, settings, log, simulated, imports: true });
    const extent = await settleExtent({ connectionString, settings });
    const sourcePath = settings.find('source') ?? simulatedFolder(settings);
    const observer = {
      watch: createImportWatch(Date.now),
      lookAtSource: createSourceLook(
        // The import reports what it passes over.
        openSource({ text: sourcePath, options: readSourceOptions(settings), log, onPassedOver() {} }),
      ),
    };
    const registry = new Registry();
    const { health } = createImportHealth(registry, Date.now);
    const server = await startServer({
      connectionString,
      settings,
      log,
      network,
      simulatedExplorer: simulatedExplorerFolder(settings),
      source: sourcePath,
      observer,
      registry,
      signal: shutdown.signal,
    });
    print(`Answering on ${server.url}/`);
    const hieroPlace = describeHieroPlace(settings, server.url);
    if (hieroPlace !== null) print(hieroPlace);
    for (const place of server.places) print(place);
    try {
      const feeds = simulated ? await simulate(context) : null;
      await Promise.all([feeds?.run(), follow(context, { connectionString, feed: feeds, observer, health, extent })]);
      if (!shutdown.signal.aborted) await once(shutdown.signal, 'abort');
    } finally {
      shutdown.request('ending');
      await server.close();
    }
  } finally {
    await store.close();
  }
  return 0;
}

type Feed = { folder: string; addressBookPath: string; run(): Promise<void> };

async function simulate(context: CommandContext): Promise<Feed> {
  const folder = simulatedFolder(context.settings);
  if (!existsSync(folder)) context.print(`Making a simulated network with ${historyDays} days of history …`);
  const network = await openSimulatedNetwork(context, folder);
  return {
    folder,
    addressBookPath: network.addressBookPath,
    async run() {
      try {
        await network.run({ historyDays });
      } finally {
        await network.close();
      }
    },
  };
}

type Following = {
  connectionString: string;
  feed: Feed | null;
  observer: ImportObserver;
  health: ImportHealth;
  extent: SettledExtent;
};

// However the import ends, queries are still answered: what was imported stays true.
async function follow(context: CommandContext, following: Following) {
  const { settings, log, shutdown } = context;
  const { connectionString, feed, observer, health, extent } = following;
  const line = openProgressLine(context, 60_000);
  const format = createImportProgressText();
  try {
    const summary = await runImport({
      connectionString,
      settings,
      extent,
      feed,
      log,
      signal: shutdown.signal,
      ...health,
      observer,
      onProgress(progress) {
        line.update(format(progress));
        health.onProgress(progress);
      },
    });
    if (summary.reachedEnd) log.info('The import has ended where --until says; queries are still answered.');
  } catch (error) {
    line.end();
    // Also if it could not even begin.
    observer.watch.onEnd(error as Error);
    log.error(`The import has ended. ${(error as Error).message}`);
    log.warn('Queries are still answered from what was imported.');
  } finally {
    line.end();
  }
}
