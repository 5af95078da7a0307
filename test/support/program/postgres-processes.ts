// The processes of an embedded PostgreSQL, for tests that kill some.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type IsMeant = (process: { server: number; backend: number }) => boolean;

export function readServerPid(dataFolder: string): number {
  return Number(readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Waits for backends of the mirror that match. */
export async function findBackends(dataFolder: string, isMeant: IsMeant = () => true): Promise<number[]> {
  for (const until = Date.now() + 240_000; Date.now() < until; await sleep(10)) {
    const backends = unlessGone(() => {
      const server = readServerPid(dataFolder);
      const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number);
      return children.filter((backend) => isBackend(backend) && isMeant({ server, backend }));
    });
    if (backends !== null && backends.length > 0) return backends;
  }
  throw new Error('PostgreSQL was not started again, or the mirror did not come back to it');
}

/** Kills one of those that `findBackends` finds; returns all, because PostgreSQL then ends the others. */
export async function killBackend(dataFolder: string, isMeant?: IsMeant): Promise<number[]> {
  for (;;) {
    const backends = await findBackends(dataFolder, isMeant);
    if (unlessGone(() => process.kill(backends[0]!, 'SIGKILL')) !== null) return backends;
  }
}

function isBackend(pid: number): boolean {
  return unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('mirror mirror')) ?? false;
}

/** null if the file or the process is gone. */
function unlessGone<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
