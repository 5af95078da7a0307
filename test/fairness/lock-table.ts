import pg from 'pg';

/** What waits for this table waits until it is let go, or the time of a statement is over. */
export async function lockTable(connectionString: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}
