// A child that ends when this process does, also when that is killed and can do nothing more.
import { type ChildProcess, spawn } from 'node:child_process';

/** A shell that reads from us: when we die, however that happens, its input ends and it sends the signal (`INT`, `TERM`). */
export function endWithThisProcess(
  child: ChildProcess,
  signal: string,
  identity: { uid?: number; gid?: number } = {},
): void {
  const script = 'while read -r _; do :; done; kill -"$1" "$2"';
  const guard = spawn('/bin/sh', ['-c', script, 'sh', signal, String(child.pid)], {
    ...identity,
    cwd: '/',
    // Ctrl-C in the terminal must not reach it before the child has ended.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  child.once('exit', () => guard.kill('SIGKILL'));
}
