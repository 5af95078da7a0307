// A separate database on every machine of a Citus cluster, dropped afterwards. The coordinator reaches the workers of
// this database through proxies of this process, where a machine can be lost without touching it.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { runOn, withDatabase } from '../../../packages/test-support/postgres/scratch-server.ts';
import { type LossyProxy, openLossyProxy } from './lossy-proxy.ts';

export type ScratchCluster = {
  connectionString: string;
  /** e.g. `Citus 13.2.2, PostgreSQL 15.20, 2 workers` */
  description: string;
  workers: { proxy: LossyProxy; connectionString: string }[];
  /** On the coordinator. */
  select<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** Prepared transactions of this database on all machines. */
  countPrepared(): Promise<number>;
  close(): Promise<void>;
};

/**
 * @param coordinator a database that is registered as a cluster, as a superuser of every machine; all of them are
 * reached with the user and the password of this URL, and reach this process on 127.0.0.1
 */
export async function createScratchCluster(coordinator: string): Promise<ScratchCluster> {
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  const nodes = await select<{ host: string; port: number; group: number }>(
    coordinator,
    `select nodename as host, nodeport as port, groupid as "group" from pg_dist_node where noderole = 'primary' order by groupid, nodeid`,
  );
  const own = nodes.find(({ group }) => group === 0);
  const places = nodes.filter(({ group }) => group !== 0);
  if (!own || places.length === 0) throw new Error('The database is not the coordinator of a cluster with workers');
  const urls = places.map(({ host, port }) => at(coordinator, host, port));
  const workers: ScratchCluster['workers'] = [];
  for (const url of [coordinator, ...urls]) {
    await runOn(url, `create database ${name}`);
    await runOn(withDatabase(url, name), 'create extension citus');
  }
  const connectionString = withDatabase(coordinator, name);
  await runOn(connectionString, `select citus_set_coordinator_host('${own.host}', ${own.port})`);
  for (const [place, url] of urls.entries()) {
    const proxy = await openLossyProxy(places[place]!);
    workers.push({ proxy, connectionString: withDatabase(url, name) });
    await runOn(connectionString, `select citus_add_node('127.0.0.1', ${proxy.port})`);
  }
  const [versions] = await select<{ citus: string; server: string }>(
    connectionString,
    `select substring(citus_version() from '^Citus [0-9.]+') as citus, current_setting('server_version') as server`,
  );
  return {
    connectionString,
    description: `${versions!.citus}, PostgreSQL ${versions!.server}, ${workers.length} workers`,
    workers,
    select: (text) => select(connectionString, text),
    async countPrepared() {
      const count = `select count(*)::int as count from pg_prepared_xacts where database = current_database()`;
      const all = [connectionString, ...workers.map((worker) => worker.connectionString)];
      const found = await Promise.all(all.map((url) => select<{ count: number }>(url, count)));
      return found.reduce((sum, [row]) => sum + row!.count, 0);
    },
    async close() {
      for (const url of [coordinator, ...urls]) await runOn(url, `drop database if exists ${name} with (force)`);
      for (const { proxy } of workers) await proxy.close();
    },
  };
}

function at(coordinator: string, host: string, port: number): string {
  const url = new URL(coordinator);
  url.hostname = host;
  url.port = String(port);
  return url.href;
}

async function select<Row extends pg.QueryResultRow>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
