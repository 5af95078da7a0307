import { once } from 'node:events';
import { openStore } from '../runtime/open-store.ts';
import { startServer } from '../runtime/start-server.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Answers queries from a database that holds a ledger.',
  description: `
Any number of these can run beside one "import" on the same DATABASE_URL. Without DATABASE_URL it starts the embedded
PostgreSQL of the data folder.

  ledger-mirror serve --data-dir ./mirror --dialect hiero`,
  async run({ settings, log, shutdown, print }) {
    const store = await openStore({ settings, log, signal: shutdown.signal });
    try {
      const networkName = settings.find('network') ?? 'other';
      const server = await startServer({
        connectionString: store.connectionString,
        settings,
        log,
        networkName,
        signal: shutdown.signal,
      });
      print(`Answering on ${server.url}`);
      if (!shutdown.signal.aborted) await once(shutdown.signal, 'abort');
      await server.close();
    } finally {
      await store.close();
    }
    return 0;
  },
};
