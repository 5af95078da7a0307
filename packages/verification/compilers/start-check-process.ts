// The process of a check, as it is started. It may read program files only (Node's permission model), write nothing,
// and has no environment. The kernel limits its processor time even if the service was killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckIsolation } from './check-isolation.ts';
import type { ProcessLimits } from './process-failures.ts';

/** `user`: its own, null = the service's. `endsWithService`: so that it may be halted. */
export type CheckProcess = { child: ChildProcess; user: number | null; endsWithService: boolean };

export function startCheckProcess(
  isolation: CheckIsolation,
  compilerPath: string | null,
  limits: ProcessLimits,
): CheckProcess {
  const files = [...programFolders(), entry, ...(compilerPath ? [compilerPath] : []), process.execPath];
  const user = isolation.user(files);
  const launcher = isolation.endsWithService();
  const [command, args] = commandLine(compilerPath, limits, launcher);
  const child = spawn(command, args, {
    cwd: sourceFolder,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
    ...(user === null ? {} : { uid: user, gid: user }),
    // A separate session, because Linux divides the processors among sessions before it considers priorities.
    detached: process.platform === 'linux',
  });
  return { child, user, endsWithService: launcher !== null };
}

const sourceFolder = fileURLToPath(new URL('..', import.meta.url));
const ownExtension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const entry = fileURLToPath(new URL(`../check-process${ownExtension}`, import.meta.url));

function commandLine(compilerPath: string | null, limits: ProcessLimits, launcher: string | null): [string, string[]] {
  const heapMegabytes = Math.max(64, Math.floor(limits.memoryBytes / 1_048_576));
  const readable = [
    ...programFolders().map((path) => join(path, '*')),
    packageFile,
    ...(compilerPath ? [compilerPath] : []),
  ];
  const node = [
    '--permission',
    // The compiler's thread.
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMegabytes}`,
    // Deep expressions and the optimizer of large contracts need more than V8's 1 MB; systems give 8 MB.
    ...(process.platform === 'win32' ? [] : ['--stack-size=3900']),
    // V8's helper threads are as busy as the compiler during a usual check (1.20 → 1.06 s of processor time).
    '--single-threaded',
    '--no-warnings',
    entry,
  ];
  if (process.platform === 'win32') return [process.execPath, node];
  // Whole seconds. A process that does not end at the soft limit is killed at the hard one.
  const seconds = Math.ceil(limits.cpuMs / 1000);
  const script = `ulimit -S -t ${seconds}; ulimit -H -t ${seconds + 1}; ulimit -c 0; ulimit -f 0; exec ${launcher ?? ''} "$0" "$@"`;
  return ['/bin/sh', ['-c', script, process.execPath, ...node]];
}

const packageFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const packageFile = join(dirname(packageFolder), 'package.json');

/** The service's own sources and the packages; not its data. */
function programFolders(): string[] {
  const modules = (createRequire(import.meta.url).resolve.paths('solc') ?? []).filter((path) => existsSync(path));
  // Also the targets of links.
  const folders = [...modules, packageFolder].flatMap((path) => [path, realpathSync(path)]);
  return [...new Set(folders)];
}
