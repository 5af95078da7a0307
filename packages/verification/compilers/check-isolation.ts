// How the operating system isolates the process of a check. A check also works without it: then Node's permission model
// and the compiler's empty global scope remain.
import { execFile, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

export type CheckIsolation = {
  /** A separate user, which can signal only other checks; null = the service's user. */
  user(readable: readonly string[]): number | null;
  /** From here on the process can open no file and no socket. `user`: that of the process. */
  closeDoors(pid: number, user: number | null): Promise<void>;
  /** The command that starts a process which the kernel ends with the service; null = there is none. */
  endsWithService(): string | null;
};

/** An unused user id; not that of the system's unprivileged account, which may own a PostgreSQL. */
const ownUser = 64_321;

export function createCheckIsolation(log: (line: string) => void): CheckIsolation {
  let canBeUser: boolean | null = null;
  let canCloseDoors = process.platform === 'linux';
  let canEndWithService: boolean | null = null;
  return {
    user(readable) {
      if (process.getuid?.() !== 0) return null;
      canBeUser ??= spawnSync('/bin/sh', ['-c', ':'], { uid: ownUser, gid: ownUser, timeout: 10_000 }).status === 0;
      return canBeUser && readable.every(isReadableByAll) ? ownUser : null;
    },
    async closeDoors(pid, user) {
      if (!canCloseDoors) return;
      // The limits of a process are changed as its own user; root may not do it in every container.
      const asUser = user === null ? {} : { uid: user, gid: user };
      try {
        await run('prlimit', ['--pid', String(pid), '--nofile=0:0'], { ...asUser, cwd: '/' });
      } catch (error) {
        if (!isRunning(pid)) return;
        // A temporary failure, on a full machine for example, is retried with the next check.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') canCloseDoors = false;
        log(`A compiler is kept from the network by Node alone: ${(error as Error).message.trim()}`);
      }
    },
    endsWithService() {
      if (process.platform !== 'linux') return null;
      if (canEndWithService === null) {
        const { status } = spawnSync('/bin/sh', ['-c', `exec ${endsWithParent} true`], { env: {}, timeout: 10_000 });
        canEndWithService = status === 0;
        // A stopped process would stay forever if the service were killed.
        if (!canEndWithService) {
          log('Contract checks are not halted while there is much to answer: util-linux has no setpriv');
        }
      }
      return canEndWithService ? endsWithParent : null;
    },
  };
}

const run = promisify(execFile);

const endsWithParent = 'setpriv --pdeathsig KILL';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a user without any rights can read the path. */
function isReadableByAll(path: string): boolean {
  const { mode } = statSync(path);
  const needed = (mode & 0o170_000) === 0o040_000 ? 0o5 : 0o4;
  return (mode & needed) === needed && isPassableByAll(dirname(path));
}

function isPassableByAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o1) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || isPassableByAll(parent);
}
