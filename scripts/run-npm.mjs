// Runs npm under the Node that will run the program: packages judge the Node that installs them.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname } from 'node:path';
import { isNodeRecent, runtimeNode } from './runtime.mjs';
import { say } from './say.mjs';

/** Ends this process where npm fails. Its output goes to standard error: standard output carries results alone. */
export function runNpm(args, cwd) {
  const node = !isNodeRecent() && existsSync(runtimeNode()) ? runtimeNode() : process.execPath;
  const cli = process.env.npm_execpath;
  const isNpm = basename(cli ?? '') === 'npm-cli.js';
  const [command, first] = isNpm ? [node, [cli]] : ['npm', []];
  // What the outer npm says of its own run means nothing to the inner one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package)_/i.test(name)),
  );
  try {
    execFileSync(command, [...first, ...args], {
      cwd,
      env: { ...env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
      stdio: ['ignore', 2, 2],
      // On Windows `npm` is a script; a path to Node may hold spaces, which a shell would take apart.
      shell: process.platform === 'win32' && !isNpm,
    });
  } catch {
    say(
      `npm ${args[0]} did not succeed in ${cwd}. Look at its message above; when the cause is gone, run the same command again.`,
      50,
    );
    process.exit(1);
  }
}
