// run.mjs <script> [arguments]: runs a script under a Node that runs TypeScript, passes signals on and ends as it
// ends. When this process or the npm above it is killed, the script is told to end too: no orphan keeps the port.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installRuntime } from './install-runtime.mjs';
import { isNodeRecent, runtimeFolder, runtimeNode } from './runtime.mjs';
import { say } from './say.mjs';
import { watchNpm } from './watch-npm.mjs';

// After a plain `npm ci` there may be none yet.
installRuntime();
const node = isNodeRecent() ? process.execPath : runtimeNode();
const memory = JSON.parse(readFileSync(new URL('../packages/kit/process/memory-flags.json', import.meta.url), 'utf8'));
const kind = Object.hasOwn(memory.processes, process.argv[3] ?? '') ? process.argv[3] : 'others';
const { flags } = memory.processes[kind];
const child = spawn(node, [...flags, ...process.argv.slice(2)], {
  // The fourth channel carries nothing: its end tells the script that this process is gone.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ...memory.environment,
    // What Node has compiled: `--help` takes 0.4 s of processor time instead of 0.8, `start` 1.7 instead of 2.1 until
    // it answers. Where the folder cannot be written, nothing is kept.
    NODE_COMPILE_CACHE: join(runtimeFolder, 'compiled'),
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
