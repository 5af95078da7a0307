// The lock of the database's only writer, for work beside the import.
import type pg from 'pg';
import { connectClient } from '../../postgres/wire/connect-client.ts';
import { isDistributed } from '../../schema/migration/distribute.ts';

export type LockHolder = pg.Client;

/** Held until the connection ends. Throws an Error if a mirror is writing. */
export async function holdWriterLock(connectionString: string, otherWriterMs = 10_000): Promise<LockHolder> {
  const client = await connectClient(connectionString, 'bootstrap');
  try {
    await client.query(`set statement_timeout = 0; set jit = off; set lock_timeout = ${otherWriterMs}`);
    await client.query(`select pg_advisory_lock(hashtext('ledger-mirror writer'))`).catch((cause) => {
      throw new Error('Another mirror is writing to this database; only one may. Stop it first.', { cause });
    });
    await client.query('set lock_timeout = 0');
    if (await isDistributed(client)) {
      // Indexes are made partition by partition, which only the machines know, and emptied tables are not logged.
      throw new Error(
        'A database that is distributed over several machines is not filled from an export. Fill one on the coordinator that is not distributed yet, and distribute it then: "migrate --distributed".',
      );
    }
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
