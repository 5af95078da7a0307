// Starts commands of this repository, as a service manager would.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../scripts/ledger-mirror.mjs', import.meta.url));
const running = new Set();

/** `says(pattern)` resolves with the first match in its output, and rejects where it ends without one. */
export function startProgram(args, env = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  const waiting = new Set();
  const look = () => {
    for (const each of waiting) each();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      look();
    });
  }
  const ended = new Promise((done) =>
    child.once('close', () => {
      running.delete(child);
      done();
      look();
    }),
  );
  const says = (pattern) =>
    new Promise((resolve, reject) => {
      const judge = () => {
        const match = pattern.exec(output);
        if (!match && running.has(child)) return;
        waiting.delete(judge);
        if (match) resolve(match);
        else reject(new Error(`"${args[0]}" ended without saying ${pattern}:\n${output}`));
      };
      waiting.add(judge);
      judge();
    });
  return { child, says, ended };
}

/** Ends all that run, as Ctrl-C does. */
export async function endPrograms() {
  const all = [...running];
  for (const child of all) child.kill('SIGTERM');
  await Promise.all(all.map((child) => new Promise((done) => child.once('close', done))));
}
