// The least that a query can cost: `select 1`, prepared, from as many connections as are asked for at a time.
import pg from 'pg';

/** Queries a second. */
export async function measureSelectOne(
  connectionString: string,
  connections: number,
  seconds: number,
): Promise<number> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString }));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    let count = 0;
    const started = performance.now();
    const run = async (client: pg.Client): Promise<void> => {
      while (performance.now() - started < seconds * 1000) {
        await client.query({ name: 'one', text: 'select 1', values: [] });
        count += 1;
      }
    };
    await Promise.all(clients.map(run));
    return (count * 1000) / (performance.now() - started);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
