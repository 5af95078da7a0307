// CPU time of the PostgreSQL that serves a data folder: the server, its living children, and those that have ended.
import { readdirSync, readFileSync } from 'node:fs';

/** Since the server began. null on systems without /proc, and while no server runs. */
export function postgresCpuSeconds(dataFolder: string): number | null {
  let server: string | undefined;
  const children = new Map<string, string>();
  try {
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const process = read(pid);
      if (!process) continue;
      children.set(pid, process.parent);
      if (process.isServer && process.command.includes(`${dataFolder}/`)) server ??= pid;
    }
  } catch {
    // No /proc: not Linux.
    return null;
  }
  if (server === undefined) return null;
  let seconds = 0;
  for (const [pid, parent] of children) if (pid === server || parent === server) seconds += read(pid)?.seconds ?? 0;
  return seconds;
}

/** USER_HZ: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

function read(pid: string): { command: string; isServer: boolean; parent: string; seconds: number } | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name in brackets: state, parent, … utime is the 12th from there, then stime, cutime, cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond;
    // Other programs name the data folder and PostgreSQL too; only the server itself has this name.
    const isServer = /^(\S*\/)?postgres\0/.test(command);
    const own = readOwnSeconds(pid) ?? ticks(11);
    return { command, isServer, parent: fields[1]!, seconds: own + (isServer ? ticks(13) : 0) };
  } catch {
    // The process ended meanwhile.
    return null;
  }
}

/** In ns: ticks of 10 ms are too coarse for a short measurement. null if the kernel does not count it. */
function readOwnSeconds(pid: string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return null;
  }
}
