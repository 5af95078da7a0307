// run.mjs <script> [arguments]: runs a script under a Node that runs TypeScript, passes signals on and ends as it
// ends. When this process or the npm above it is killed, the script is told to end too: no orphan keeps the port.
import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { installRuntime } from './install-runtime.mjs';
import { isNodeRecent, runtimeNode } from './runtime.mjs';
import { say } from './say.mjs';
import { watchNpm } from './watch-npm.mjs';

// After a plain `npm ci` there may be none yet.
installRuntime();
const node = isNodeRecent() ? process.execPath : runtimeNode();
// A young generation of 8 MB in place of 16: the start takes less memory. What only answers has no use for that: with 64
// clients it would copy what is soon gone, at twice the time for a page. An import of small blocks keeps a fifth of what it
// allocates until a whole collection with 8 MB, a twentieth with 32, and takes 55 MB more with large blocks.
const youngMb = { serve: 16, import: 32 }[process.argv[3]] ?? 8;
const child = spawn(node, [`--max-semi-space-size=${youngMb}`, ...process.argv.slice(2)], {
  // The fourth channel carries nothing: its end tells the script that this process is gone.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    // Of glibc: one place that keeps freed memory in place of eight, some 10 MB less under load.
    MALLOC_ARENA_MAX: '1',
    ...process.env,
    LEDGER_MIRROR_LAUNCHER: '1',
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  },
});
// A terminal sends Ctrl-C to the whole group, so the child has it already; other signals reach only this process.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
watchNpm(() => child.kill('SIGTERM'));
child.on('error', (error) => {
  say(`${node} could not be started (${error.message}). Run "node scripts/prepare.mjs" once, then try again.`, 50);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code ?? 1);
});
