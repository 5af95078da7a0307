// A separate connection, for everything but queries: writing, migrations, work that takes minutes.
import pg from 'pg';
import { explainConnection } from './explain-connection.ts';

/**
 * `name`: shown by PostgreSQL. Throws an Error that says what to do if PostgreSQL cannot be reached, or does not
 * answer.
 */
export async function connectClient(connectionString: string, name: string, timeoutMs = 10_000): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      connectionString,
      application_name: `ledger-mirror ${name}`,
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
    });
    // The next statement reports the loss.
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    throw inOurWords(toConnectError(error as Error, timeoutMs), connectionString);
  }
}

/** With the code that says whether it is worth waiting. */
function inOurWords(error: Error, connectionString: string): Error {
  const said = explainConnection(error, connectionString);
  if (!said) return error;
  const { code } = error as Error & { code?: string };
  const message = `${said.found.charAt(0).toUpperCase()}${said.found.slice(1)}. ${said.advice}`;
  return Object.assign(new Error(message, { cause: error }), code === undefined ? {} : { code });
}

/** The connection is closed when the work has ended. */
export async function withClient<Result>(
  connectionString: string,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectClient(connectionString, name);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** All of the work, or none of it. */
export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Why a connection could not be opened: if a server accepts it but does not answer, `pg` says only "timeout expired".
 */
export function toConnectError(error: Error, timeoutMs: number): Error {
  if (error.message !== 'timeout expired') return error;
  const message = `PostgreSQL does not answer within ${timeoutMs / 1000} s. Check that it runs and accepts connections`;
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' });
}
