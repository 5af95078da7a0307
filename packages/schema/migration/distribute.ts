// Distributes the tables of a database over the machines of a Citus cluster by their descriptions: empty or filled, in
// one transaction, and again for tables that a migration adds. docs/guides/scale.md says what a cluster needs.
import type pg from 'pg';
import { inTransaction } from '../../postgres/wire/connect-client.ts';
import { isCompact } from '../compact-form.ts';
import { quoteName, quoteNames } from '../sql-names.ts';
import type { Placement } from '../table.ts';
import { allTables, describedTable } from '../tables.ts';

/**
 * Throws an Error with advice if the database is not the coordinator of a cluster. Resolves with how many tables were
 * placed.
 */
export async function distributeTables(client: pg.Client): Promise<number> {
  if (!(await isDistributed(client))) {
    if (await isCompact(client)) throw new Error('A database in the compact form cannot be distributed.');
    await assertCluster(client);
    await assertIndexed(client);
  }
  const placed = await selectPlaced(client);
  const statements = distributeStatements((await selectTables(client)).filter((table) => !placed.has(table)));
  await inTransaction(client, async () => {
    // One statement a message: Citus refuses a change of a table together with others.
    for (const statement of statements) await client.query(statement);
  }).catch((error: Error) => {
    throw new Error(`The tables could not be distributed, and none is: ${error.message}`, { cause: error });
  });
  return statements.filter((statement) => statement.startsWith('select ')).length;
}

/** For tables that are not distributed yet, in the order in which Citus accepts them. */
function distributeStatements(names: readonly string[]): string[] {
  const inOrder = [...names].sort((one, other) => rankOf(one) - rankOf(other));
  return inOrder.flatMap((table) => {
    const placement = describedTable(table)?.placement;
    if (placement === undefined) throw new Error(`No description says where the table ${table} belongs`);
    const key = distributedKeyOf(table);
    const quoted = quoteName(table);
    const rekey = `alter table ${quoted} drop constraint ${quoteName(`${table}_pkey`)}, add primary key (${key && quoteNames(key)})`;
    return [...(key ? [rekey] : []), ...placeStatement(table, placement)];
  });
}

/** The new primary key if the current one lacks the distribution column; else null. */
function distributedKeyOf(name: string): readonly string[] | null {
  const table = allTables[name];
  if (table?.placement.kind !== 'distributed' || table.key.length === 0) return null;
  const { key, placement } = table;
  return key.includes(placement.by) ? null : [...key, placement.by];
}

function placeStatement(table: string, placement: Placement): string[] {
  switch (placement.kind) {
    case 'distributed': {
      const first = firstOf[placement.group];
      const beside = table === first ? 'none' : first;
      return [`select create_distributed_table('${table}', '${placement.by}', colocate_with => '${beside}')`];
    }
    case 'reference':
      return [`select create_reference_table('${table}')`];
    case 'local':
      return placement.isKnownToWorkers ? [`select citus_add_local_table_to_metadata('${table}')`] : [];
  }
}

/** The table that the others of the group are colocated with. */
const firstOf = { ids: 'entity', hashes: 'transaction_hash' } as const;
const order = [...Object.values(firstOf), ...Object.keys(allTables)];

function rankOf(table: string): number {
  const rank = order.indexOf(table);
  return rank < 0 ? order.indexOf(table.replace(/_history$/, '')) + 0.5 : rank;
}

/** Whether Citus is known; only then can the next query be asked. */
export const knowsCitusQuery = `select to_regclass('citus_tables') is not null as found`;
/** Whether the tables of this database are distributed. */
export const spreadsTablesQuery = `select exists (select 1 from citus_tables where table_name = to_regclass('entity')) as found`;

export async function isDistributed(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows: known } = await client.query(knowsCitusQuery);
  if (!known[0].found) return false;
  const { rows } = await client.query(spreadsTablesQuery);
  return rows[0].found;
}

async function assertCluster(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ made: boolean; available: boolean; prepared: number }>(
    `select exists (select 1 from pg_proc where proname = 'create_distributed_table') as made,
  exists (select 1 from pg_available_extensions where name = 'citus') as available,
  current_setting('max_prepared_transactions')::int as prepared`,
  );
  const { made, available, prepared } = rows[0]!;
  if (!made && !available) {
    throw new Error(
      "This PostgreSQL has no Citus extension. On the coordinator and on every worker install Citus for this version of PostgreSQL, set shared_preload_libraries = 'citus' and max_prepared_transactions = 400, and restart. Without --distributed the tables stay on one machine.",
    );
  }
  if (!made) {
    throw new Error(
      'Citus is installed and not part of this database. As a superuser run CREATE EXTENSION citus, in a database of this name on the coordinator and on every worker; then register the machines with citus_set_coordinator_host and citus_add_node.',
    );
  }
  const { rows: nodes } = await client.query<{ holding: number; all: number }>(
    'select count(*) filter (where shouldhaveshards)::int as holding, count(*)::int as all from pg_dist_node where isactive',
  );
  const { holding, all } = nodes[0]!;
  if (holding === 0) {
    throw new Error(
      "No machine of the cluster holds tables yet. On the coordinator run: select citus_set_coordinator_host('<host>', 5432); and for each worker: select citus_add_node('<host>', 5432);",
    );
  }
  if (all > 1 && prepared === 0) {
    throw new Error(
      'max_prepared_transactions is 0, and a block that lies on several machines is committed by two-phase commit. Set it to 400 on every machine and restart.',
    );
  }
}

/** An index that a bulk import has postponed would be made with statements that Citus refuses. */
async function assertIndexed(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select count(*)::int as count from postponed_index');
  if (rows[0].count === 0) return;
  throw new Error(
    `${rows[0].count} indexes are left out until the import with --bulk has caught up. Let "ledger-mirror import" make them first.`,
  );
}

async function selectPlaced(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select relname::text as name from pg_dist_partition join pg_class on oid = logicalrelid',
  );
  return new Set(rows.map(({ name }) => name));
}

/** Without partitions, which follow their tables. */
async function selectTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class c where relnamespace = current_schema()::regnamespace
  and relkind in ('r', 'p') and not relispartition and not exists (select 1 from pg_depend where objid = c.oid and deptype = 'e')`,
  );
  return rows.map(({ name }) => name);
}
