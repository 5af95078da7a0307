// CPU time of the PostgreSQL that serves a data folder: the server, its living children, and those that have ended.
import { familyCpuSeconds, listProcesses } from './process-usage.ts';

/** Since the server began. null on systems without /proc, and while no server runs. */
export function postgresCpuSeconds(dataFolder: string): number | null {
  const processes = listProcesses();
  // Other programs name the data folder and PostgreSQL too; only the server itself is called so, and a child for the
  // moment until it has a name.
  const servers = processes?.filter(
    ({ command }) => /^(\S*\/)?postgres\0/.test(command) && command.includes(`${dataFolder}/`),
  );
  const server = servers?.find(({ parent }) => servers.every(({ pid }) => pid !== parent));
  return processes && server ? familyCpuSeconds(server.pid, processes) : null;
}
