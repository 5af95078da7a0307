// A child that ends when this process does, even when this process is killed.
import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that reads from us: when we end, for any reason, its input ends and it sends the signal (`INT`, `TERM`); a
 * second signal follows if the child is still alive after 15 s.
 */
export function endWithThisProcess(
  child: ChildProcess,
  signals: string | readonly [string, string],
  identity: { uid?: number; gid?: number } = {},
): void {
  const [signal, further = ''] = typeof signals === 'string' ? [signals] : signals;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), signal, further], {
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

const script = `
while read -r _; do :; done
kill -"$2" "$1"
[ -n "$3" ] || exit 0
waited=0
while [ $waited -lt 15 ]; do kill -0 "$1" || exit 0; sleep 1; waited=$((waited + 1)); done
kill -"$3" "$1"
`;
