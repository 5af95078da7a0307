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
      if (process.command.includes('postgres') && process.command.includes(dataFolder)) server ??= pid;
    }
  } catch {
    // No /proc: not Linux.
    return null;
  }
  if (server === undefined) return null;
  let ticks = 0;
  for (const [pid, parent] of children) if (pid === server || parent === server) ticks += read(pid)?.ticks ?? 0;
  return ticks / ticksPerSecond;
}

/** USER_HZ: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

function read(pid: string): { command: string; parent: string; ticks: number } | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name in brackets: state, parent, … utime is the 12th from there, then stime, cutime, cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ended = command.includes('-D') ? Number(fields[13]) + Number(fields[14]) : 0;
    return { command, parent: fields[1]!, ticks: Number(fields[11]) + Number(fields[12]) + ended };
  } catch {
    // The process ended meanwhile.
    return null;
  }
}
