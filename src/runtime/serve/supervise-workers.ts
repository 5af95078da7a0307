// A `serve` with several workers: the process that starts them, and reports for them to the status service.
import { Registry } from 'prom-client';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { choosePlace } from '../../../packages/store/replicas/choose-place.ts';
import { openPlaces, toChoice } from '../database/open-readers.ts';
import { attachStatus } from '../status/attach-status.ts';
import type { CountedMetrics } from '../status/signals/request-signals.ts';
import { createWorkerReaders } from '../workers/lead-readers.ts';
import { runWorkers } from '../workers/run-workers.ts';
import { describeDoors } from './create-doors.ts';
import { createVerification } from './create-verification.ts';
import type { RunningServer, StartServerOptions } from './start-server.ts';

const tellContactEveryMs = 500;

export async function superviseWorkers(options: StartServerOptions): Promise<RunningServer> {
  const { connectionString, schemaGaps = [], settings, log, network, simulatedExplorer } = options;
  const leading = leadReaders(options);
  const workers = await runWorkers({
    start: { connectionString, schemaGaps, network, workers: settings.get('workers') },
    host: settings.get('host'),
    port: settings.get('port'),
    log,
    readers: leading?.readers ?? null,
  }).catch(async (error) => {
    await leading?.close();
    throw error;
  });
  const db = openDatabase({ connectionString, maxConnections: 1 });
  const verification = createVerification({
    db,
    settings,
    log,
    network,
    simulatedExplorer,
    // It only tests itself: ids are answered by the workers.
    system: network.system ?? usualRealm,
    isBusy: () => false,
    searchesIn: null,
    blocks: noBlockWatch,
    registry: new Registry(),
  });
  const status = await attachStatus({
    app: null,
    settings,
    log,
    networkName: network.name,
    connectionString,
    observer: null,
    registry: toCounted(workers.metrics),
    connections: workers.connections,
    outcomes: workers.outcomes,
    selfTest: verification.selfTest,
  });
  status.begin(workers.place);
  const telling = setInterval(() => {
    const found = status.find();
    // They find a service on another machine in their settings.
    if (!found || 'secret' in found) workers.tellStatusContact(found);
  }, tellContactEveryMs);
  return {
    url: workers.place.url,
    places: describeDoors(settings, workers.place.url),
    db,
    async close() {
      clearInterval(telling);
      await status.close();
      await workers.close();
      await leading?.close();
      await verification.close();
      await db.close();
    },
  };
}

/** Chooses for all workers among the replicas; null if there are none. */
function leadReaders({ connectionString, settings, log }: StartServerOptions) {
  const places = openPlaces(settings, connectionString, (url) =>
    openDatabase({ connectionString: url, maxConnections: 1 }),
  );
  if (places.length === 1) return null;
  const readers = createWorkerReaders((place) => chooser.onFailure(place));
  const chooser = choosePlace({ places, readers, ...toChoice(settings, log) });
  return {
    readers,
    async close() {
      await chooser.close();
      await Promise.all(places.map(({ db }) => db.close()));
    },
  };
}

function toCounted(metrics: () => Promise<Registry>): CountedMetrics {
  return {
    getSingleMetric: (name) => ({
      get: async () => (await metrics()).getSingleMetric(name)?.get(),
    }),
  };
}
