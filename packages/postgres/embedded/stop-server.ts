// Stops the PostgreSQL server of a data folder, even if it outlived the mirror that started it, and removes what a
// killed server leaves behind, so that a new one can start.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../kit/pause.ts';
import { isAlive, isPostgresOf } from './running-process.ts';

/** Ends the server that `postmaster.pid` names, if it is one of this folder. Returns its process id, or null. */
export async function stopOrphan(cluster: string): Promise<number | null> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  const running = Number.isInteger(pid) && pid > 0 && isAlive(pid) && isPostgresOf(pid, cluster);
  if (running) await stopServer(pid);
  rmSync(file, { force: true });
  return running ? pid : null;
}

/**
 * Fast shutdown (checkpoint, then end); immediate shutdown if that takes too long, and the next start recovers.
 * PostgreSQL 18 never ends a fast shutdown that is requested while it recovers from the crash of one of its processes.
 */
export async function stopServer(pid: number): Promise<void> {
  for (const [signal, timeoutMs] of stopSignals) {
    if (!signalServer(pid, signal)) return;
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (!isAlive(pid)) return;
      await pause(10);
    }
  }
  throw new Error(`The PostgreSQL server (process ${pid}) did not end after SIGINT and SIGQUIT; end it by hand.`);
}

const stopSignals = [
  ['SIGINT', 12_000],
  ['SIGQUIT', 10_000],
] as const;

function signalServer(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
