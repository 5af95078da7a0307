// What the operating system says of a process id: whether it is alive, and a mark that tells apart two processes that
// had the same id one after the other (in containers ids repeat at every start).
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: alive, and owned by another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return readLinuxState(pid) !== 'Z';
}

/** Start time as the system reports it; null if unknown. */
export function readStartMark(pid: number): string | null {
  if (process.platform === 'linux') {
    const ticksSinceBoot = readLinuxStat(pid)?.[19];
    return ticksSinceBoot ? `${readBootId()} ${ticksSinceBoot}` : null;
  }
  if (process.platform === 'win32') return null;
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null;
}

/** Whether the process is the PostgreSQL server of this data folder; servers stay in their data folder. */
export function isPostgresOf(pid: number, cluster: string): boolean {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    } catch {
      // Ended, or owned by another user: our servers run as us, or we are root.
      return false;
    }
  }
  if (process.platform === 'win32') return isAlive(pid);
  const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes('postgres') && command.includes(cluster);
}

/** Ticks repeat: machines that start the same programs in the same order start them at the same tick. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Hidden in some containers; then only the ticks are used.
    return '';
  }
}

function readLinuxState(pid: number): string | null {
  return process.platform === 'linux' ? (readLinuxStat(pid)?.[0] ?? null) : null;
}

/** Fields of /proc/<pid>/stat from the third (state) on; the command before it may hold spaces and brackets. */
function readLinuxStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
