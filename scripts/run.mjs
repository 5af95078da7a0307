// run.mjs <script> [arguments]: runs a script under a Node that understands TypeScript, passes signals on and ends as it ends.
import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { isNodeRecent, runtimeNode } from './runtime.mjs';

const node = isNodeRecent() ? process.execPath : runtimeNode();
const child = spawn(node, process.argv.slice(2), {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
});
// A terminal sends Ctrl-C to the whole group, so the child has it already; other signals reach only this process.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`${node} could not be started (${error.message}). Run "node scripts/prepare.mjs" once, then try again.`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code ?? 1);
});
