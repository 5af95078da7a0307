// All rows of all tables as text, in an order that does not depend on the import, so that two databases can be compared
// to the byte. Left out are times of the import, and which of the network's signatures it checked.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { formTables } from '../../schema/compact-form.ts';

/** Table name → rows as JSON text, sorted. */
export type DatabaseDump = Map<string, string[]>;

const workTimes = new Set(['load_start', 'load_end', 'installed_at']);
/**
 * About import and bootstrap, not the ledger: behind the head of a stream one signature is checked for several blocks;
 * and how far work in the background has come: the search for sources of contracts, and what is summed up of tokens.
 */
const workTables = [
  ...['importer_state', 'block_verification'],
  ...['bootstrap_run', 'bootstrap_file', 'bootstrap_check', 'bootstrap_progress'],
  ...['contract_match', 'contract_match_task', 'contract_match_count'],
  ...['contract_token', 'contract_token_holder', 'contract_token_serial', 'contract_token_progress'],
  ...['token_total', 'token_total_progress'],
];
const workColumns = new Set(['block_proof.verified', 'block_proof.reason', 'ledger_key.signs_from']);

export async function dumpDatabase(connectionString: string): Promise<DatabaseDump> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const dump: DatabaseDump = new Map();
    for (const { table, row } of await listTables(client)) {
      const { rows } = await client.query<{ line: string }>(`select ${row} as line from "${table}" order by 1`);
      dump.set(
        table,
        rows.map(({ line }) => line),
      );
    }
    return dump;
  } finally {
    await client.end();
  }
}

/** As `summarizeDump`, of databases that do not fit in memory: PostgreSQL adds up hashes of rows. */
export async function summarizeDatabase(connectionString: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const summary: Record<string, string> = {};
    for (const { table, row } of await listTables(client)) {
      const { rows } = await client.query<{ count: string; sum: string }>(
        `select count(*), coalesce(sum(('x' || left(md5(${row}), 16))::bit(64)::int8::numeric), 0)::text as sum from "${table}"`,
      );
      summary[table] = `${rows[0]!.count} rows ${rows[0]!.sum}`;
    }
    return summary;
  } finally {
    await client.end();
  }
}

/** `row`: SQL, the text of a row of the table. */
async function listTables(client: pg.Client): Promise<{ table: string; row: string }[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `
    select c.relname as table, array_agg(a.attname::text order by a.attname) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and c.relname <> all($1) and a.attnum > 0 and not a.attisdropped
    group by c.relname order by c.relname`,
    [[...workTables, ...formTables]],
  );
  return rows.map(({ table, columns }) => {
    const kept = columns.filter((name) => !workTimes.has(name) && !workColumns.has(`${table}.${name}`));
    return { table, row: `row(${kept.map((name) => `"${name}"`).join(', ')})::text` };
  });
}

/** One short text per table: number of rows and a hash of all of them. */
export function summarizeDump(dump: DatabaseDump): Record<string, string> {
  return Object.fromEntries(
    [...dump].map(([table, lines]) => [
      table,
      `${lines.length} rows ${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)}`,
    ]),
  );
}
