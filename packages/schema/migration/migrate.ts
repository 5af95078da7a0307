// Brings a database to the schema of this program: in one step if it is empty, one migration after the other if it is
// older, never back. Safe to run at every start and by many processes at once. A database that holds other tables is
// refused and not changed.
import type pg from 'pg';
import { inTransaction, withClient } from '../../postgres/wire/connect-client.ts';
import { notifyReaders } from '../block-channel.ts';
import { baselineStatements } from './baseline.ts';
import { distributeTables, isDistributed } from './distribute.ts';
import { type Migration, migrations } from './migrations.ts';

export type MigrateOptions = {
  connectionString: string;
  /** Over the machines of a Citus cluster; a distributed database stays so without this option. */
  distributed?: boolean;
  /** The caller does not import: a newer schema has everything that it reads. */
  mayBeNewer?: boolean;
  log?: (sentence: string) => void;
};

/** The schema version that this program reads and writes. */
export const schemaVersion = 1 + migrations.length;

export async function migrate(options: MigrateOptions): Promise<void> {
  const { connectionString, distributed = false, mayBeNewer = false, log = () => {} } = options;
  await withClient(connectionString, 'migration', async (client) => {
    // Held until the connection ends: other processes that migrate wait here.
    await client.query(`select pg_advisory_lock(hashtext('ledger-mirror schema'))`);
    await assertSupportedServer(client);
    const isNewer = await bringUpToDate(client, { mayBeNewer, log });
    if (isNewer) return;
    if (distributed || (await isDistributed(client))) {
      const placed = await distributeTables(client);
      if (placed > 0) log(`Distributed ${placed} tables over the machines of the cluster`);
    }
  });
}

/**
 * Of a database that another process migrates. Throws an Error if its schema is not the one that this program reads and
 * writes.
 */
export async function assertSchemaVersion(connectionString: string): Promise<void> {
  const stored = await withClient(connectionString, 'migration', selectSchemaVersion);
  if (stored === schemaVersion) return;
  const has = stored === null ? 'has no tables yet' : `has schema version ${stored}, this program has ${schemaVersion}`;
  throw new Error(
    `The database of the mirror that runs ${has}. ${stored === null ? 'Wait until it has started.' : 'Use the version of the program that runs, or start that mirror again with this one.'}`,
  );
}

/** Throws the Error that `migrate` would throw before it changes anything; changes nothing. */
export async function assertMigratable(
  connectionString: string,
  { mayBeNewer = false }: Pick<MigrateOptions, 'mayBeNewer'> = {},
): Promise<void> {
  await withClient(connectionString, 'migration', async (client) => {
    await assertSupportedServer(client);
    const stored = await selectSchemaVersion(client);
    if (stored === null) await assertEmpty(client);
    else if (stored > schemaVersion && !mayBeNewer) throw newerSchema(stored);
  });
}

function newerSchema(stored: number): Error {
  return new Error(
    `The database has schema version ${stored}, this program supports up to ${schemaVersion}. Run the newer program that wrote it, or use another database.`,
  );
}

/** Resolves with whether the schema is newer than this program. */
async function bringUpToDate(
  client: pg.Client,
  { mayBeNewer, log }: Required<Pick<MigrateOptions, 'mayBeNewer' | 'log'>>,
): Promise<boolean> {
  const stored = await selectSchemaVersion(client);
  if (stored === null) {
    await assertEmpty(client);
    await runInTransaction(client, baselineStatements(), schemaVersion, 'baseline');
    log(`Made the schema, version ${schemaVersion}`);
    return false;
  }
  if (stored > schemaVersion && mayBeNewer) {
    log(
      `The database has schema version ${stored}, which a newer program made; this one reads what it knows, ${schemaVersion}`,
    );
    return true;
  }
  if (stored > schemaVersion) throw newerSchema(stored);
  for (const { version, name, statements } of pending(stored)) {
    await runInTransaction(client, statements, version, name);
    log(`Changed the schema to version ${version}: ${name}`);
  }
  return false;
}

const oldestServer = 150_000;

/** The baseline is version 1; the first migration makes it 2. */
function pending(stored: number): (Migration & { version: number })[] {
  return migrations.map((migration, i) => ({ ...migration, version: i + 2 })).filter(({ version }) => version > stored);
}

async function runInTransaction(client: pg.Client, statements: readonly string[], version: number, name: string) {
  await inTransaction(client, async () => {
    for (const statement of statements) await client.query(statement);
    await client.query('insert into ledger_mirror_schema (version, name) values ($1, $2)', [version, name]);
    await notifyReaders(client, null);
  }).catch((error: Error) => {
    throw new Error(`Schema version ${version} (${name}) could not be made: ${error.message}`, {
      cause: error,
    });
  });
}

async function selectSchemaVersion(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query(`select to_regclass('ledger_mirror_schema') is not null as found`);
  if (!rows[0].found) return null;
  const stored = await client.query('select max(version) as version from ledger_mirror_schema');
  return stored.rows[0].version;
}

async function assertSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding`,
  );
  const { number, version, encoding } = rows[0];
  if (number < oldestServer) {
    throw new Error(`The database runs on PostgreSQL ${version}; this program needs 15 or newer.`);
  }
  if (encoding !== 'UTF8') {
    throw new Error(`The database has the encoding ${encoding}; make one with: create database … encoding 'UTF8'`);
  }
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_database() as database, current_schema() as schema, array(
       select relname::text from pg_class
       where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')
         and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
       order by relname limit 5) as found`,
  );
  const { database, schema, found } = rows[0];
  if (schema === null) {
    throw new Error(`The database ${database} has no schema to make tables in; create one (create schema public).`);
  }
  if (found.length > 0) {
    throw new Error(
      `The database ${database} (schema ${schema}) holds tables that this program did not make: ${found.join(', ')} … Writing needs an empty database. (An existing Hiero mirror database can be read with "serve --read-only".)`,
    );
  }
}
