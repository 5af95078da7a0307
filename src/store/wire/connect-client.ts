// A connection of its own, for what is no query: writing, migrations, work that takes minutes.
import pg from 'pg';
import { toConnectError } from './connect-error.ts';

/** `name`: what PostgreSQL shows of it. Throws where PostgreSQL cannot be reached, or does not answer. */
export async function connectClient(connectionString: string, name: string, timeoutMs = 10_000): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: `ledger-mirror ${name}`,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
  });
  // The next statement tells of the loss.
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw toConnectError(error, timeoutMs);
  });
  return client;
}
