// Only one process at a time does a work: it holds a lock of PostgreSQL on a connection of its own, which ends with the
// process.
import { connectClient } from './connect-client.ts';

export type Lease = {
  /** false from the moment that the connection is lost: another process may have it then. */
  isHeld(): boolean;
  release(): Promise<void>;
};

/** null = another process has it. `work`: names the lock. */
export async function takeLease(
  connectionString: string,
  { application, work }: { application: string; work: string },
): Promise<Lease | null> {
  const client = await connectClient(connectionString, application);
  let isHeld = true;
  client.on('error', () => {
    isHeld = false;
  });
  client.on('end', () => {
    isHeld = false;
  });
  const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as taken', [work]);
  const release = async (): Promise<void> => {
    isHeld = false;
    await client.end();
  };
  if (rows[0].taken) return { isHeld: () => isHeld, release };
  await release();
  return null;
}
