// A ledger in a data folder, made once and kept between runs of the same schema.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { baselineStatements } from '../../packages/schema/migration/baseline.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';

export type KeptLedger = EmbeddedPostgres & { dataFolder: string };

type LedgerMaker = {
  dataFolder: string;
  /** What its content follows from: where this is another text, the ledger is made again. */
  madeOf: string;
  /** Into a database that has the schema. */
  fill(connectionString: string): Promise<void>;
};

export const ledgersFolder = join(tmpdir(), 'ledger-mirror-bench');

/** Starts PostgreSQL over the ledger, making it first where it is not there yet. */
export async function openKeptLedger({ dataFolder, madeOf, fill }: LedgerMaker): Promise<KeptLedger> {
  const mark = join(dataFolder, 'complete');
  const made = createHash('sha256')
    .update([...baselineStatements(), madeOf].join())
    .digest('hex');
  const present = existsSync(mark) && readFileSync(mark, 'utf8') === made;
  if (!present) {
    rmSync(dataFolder, { recursive: true, force: true });
    mkdirSync(dataFolder, { recursive: true });
    chmodSync(dataFolder, 0o755);
  }
  const server = await startEmbeddedPostgres({ dataFolder, durable: false });
  try {
    if (!present) {
      console.log(`Making the ledger in ${dataFolder} …`);
      const started = performance.now();
      await migrate({ connectionString: server.connectionString });
      await fill(server.connectionString);
      await tidy(server.connectionString);
      writeFileSync(mark, made);
      console.log(`Made in ${Math.round((performance.now() - started) / 1000)} s`);
    }
    return { ...server, dataFolder };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function tidy(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
