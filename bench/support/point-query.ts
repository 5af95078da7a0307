// The minimum cost of an answer from the database: one row by its key, prepared, queried by PostgreSQL's own pgbench.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { firstId, type LedgerSize } from './large-ledger.ts';
import { postgresCpuSeconds } from './postgres-cpu.ts';

/** The CPU time of PostgreSQL is ms a query; null if it cannot be measured. */
export type PointQueryMeasured = { perSecond: number; postgresCpuMs: number | null };

type Place = { connectionString: string; dataFolder: string; size: LedgerSize };

/** The measured servers keep their connections: all must fit into the limit of the embedded PostgreSQL. */
const maxClients = 16;
/** The minimum of pgbench. */
const seconds = 1;

/** null = there is no pgbench. */
export async function measurePointQuery(place: Place, connections: number): Promise<PointQueryMeasured | null> {
  const { connectionString, dataFolder, size } = place;
  const pgbench = findPgbench();
  if (pgbench === null) return null;
  const script = join(dataFolder, 'point-query.sql');
  const first = firstId.account;
  writeFileSync(
    script,
    `\\set id random(${first}, ${first + size.accounts - 1})\nselect balance from entity where id = :id;\n`,
  );
  const clients = Math.min(connections, maxClients);
  const before = postgresCpuSeconds(dataFolder);
  const { stdout } = await promisify(execFile)(pgbench, [
    ...['--no-vacuum', '--protocol=prepared', `--client=${clients}`, `--time=${seconds}`, `--file=${script}`],
    connectionString,
  ]);
  const after = postgresCpuSeconds(dataFolder);
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
  if (!(perSecond > 0 && count > 0)) throw new Error(`pgbench told no figures:\n${stdout}`);
  const postgresCpuMs = before === null || after === null ? null : ((after - before) * 1000) / count;
  return { perSecond, postgresCpuMs };
}

/** On the path, or in Debian's folder. */
function findPgbench(): string | null {
  const debian = '/usr/lib/postgresql';
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).find(existsSync) ?? null;
}
