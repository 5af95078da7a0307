// What processes take, as /proc of Linux says it: CPU time of a process with its threads and children, and its memory.
import { readdirSync, readFileSync } from 'node:fs';

export type ProcessEntry = { pid: string; parent: string; command: string };

/** Every process of the machine. null on systems without /proc. */
export function listProcesses(): ProcessEntry[] | null {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // No /proc: not Linux.
    return null;
  }
  return pids.flatMap((pid) => {
    const stat = readStat(pid);
    const command = readText(`/proc/${pid}/cmdline`);
    return stat === null || command === null ? [] : [{ pid, parent: stat[parentField]!, command }];
  });
}

/** Of a process since it began: of itself, of its children, and of those that have ended. */
export function familyCpuSeconds(pid: string, processes: readonly ProcessEntry[]): number {
  const family = [pid, ...processes.filter(({ parent }) => parent === pid).map((child) => child.pid)];
  for (;;) {
    const ended = endedCpuSeconds(pid);
    const living = family.reduce((sum, member) => sum + ownCpuSeconds(member), 0);
    // One that ended in between is missing, or counted twice.
    if (endedCpuSeconds(pid) === ended) return living + ended;
  }
}

/** MB; 0 where it cannot be told. */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) / 1024;
}

/** USER_HZ: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;
// Behind the name in brackets: state, parent, … utime is the 12th from there, then stime, cutime, cstime.
const parentField = 1;
const ownTicksField = 11;
const endedTicksField = 13;

/** In ns, where a short measurement would drown in ticks of 10 ms; in ticks where the kernel does not count them. */
function ownCpuSeconds(pid: string): number {
  let nanoseconds = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const counted = readText(`/proc/${pid}/task/${thread}/schedstat`);
      if (counted === null) return ticksOf(pid, ownTicksField);
      nanoseconds += Number(counted.split(' ')[0]);
    }
  } catch {
    // The process ended meanwhile.
    return 0;
  }
  return nanoseconds / 1e9;
}

function endedCpuSeconds(pid: string): number {
  return ticksOf(pid, endedTicksField);
}

function ticksOf(pid: string, field: number): number {
  const stat = readStat(pid);
  return stat === null ? 0 : (Number(stat[field]) + Number(stat[field + 1])) / ticksPerSecond;
}

function readStat(pid: string): string[] | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** null = the process ended meanwhile, or the kernel has no such file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
