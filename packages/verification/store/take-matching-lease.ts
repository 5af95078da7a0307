// Only one process at a time searches for the sources of contracts: it holds a lock of PostgreSQL on a connection of
// its own, which ends with the process.
import { connectClient } from '../../postgres/wire/connect-client.ts';

export type Lease = {
  /** false from the moment that the connection is lost: another process may have it then. */
  isHeld(): boolean;
  release(): Promise<void>;
};

/** null = another process has it. */
export async function takeMatchingLease(connectionString: string): Promise<Lease | null> {
  const client = await connectClient(connectionString, 'search for sources');
  let isHeld = true;
  client.on('error', () => {
    isHeld = false;
  });
  client.on('end', () => {
    isHeld = false;
  });
  const { rows } = await client.query(
    `select pg_try_advisory_lock(hashtext('ledger-mirror contract matches')) as taken`,
  );
  const release = async (): Promise<void> => {
    isHeld = false;
    await client.end();
  };
  if (rows[0].taken) return { isHeld: () => isHeld, release };
  await release();
  return null;
}
