// A ledger of a simulated network behind the real HTTP side, asked without a port.
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import { type LedgerName, ledgers } from '../ledgers/ledgers.ts';
import { openImported } from '../ledgers/open-imported.ts';
import type { SimulatedStreamOptions } from '../streams/simulated-stream.ts';
import { openServer } from './open-server.ts';

export type SimulatedServer = {
  app: ReturnType<typeof openServer>;
  db: Database;
  /** Every item of a list of the API, page by page. `read`: of the text of an answer. */
  listAll<T>(url: string, member: string, read?: (text: string) => unknown): Promise<T[]>;
  close(): Promise<void>;
};

type Network = Pick<SimulatedStreamOptions, 'seed' | 'blocks' | 'transactionsPerBlock'>;

/** In the dialect `spec`. */
export async function openSimulated(network: LedgerName | Network): Promise<SimulatedServer> {
  const ledger = await openImported(typeof network === 'string' ? ledgers[network] : network);
  const scratch = await ledger.openDatabase();
  const db = openDatabase({ connectionString: scratch.connectionString });
  const app = openServer(db, 'spec');
  return {
    app,
    db,
    async listAll<T>(url: string, member: string, read: (text: string) => unknown = JSON.parse) {
      const items: T[] = [];
      for (let next: string | null = url; next !== null; ) {
        const { statusCode, body } = await app.inject({ url: next });
        if (statusCode !== 200) throw new Error(`${next}: ${statusCode}`);
        const page = read(body) as Record<string, unknown> & { links: { next: string | null } };
        items.push(...(page[member] as T[]));
        next = page.links.next;
      }
      return items;
    },
    async close() {
      await app.close();
      await db.close();
      await scratch.close();
    },
  };
}
