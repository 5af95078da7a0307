#!/usr/bin/env node
// The published command: hands over to src/cli/main under a Node that runs it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from './say.mjs';
import { isUsable, withAccess } from './tell-access.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
withAccess(() => isUsable(join(folder, '..', 'node_modules', '.package-lock.json'), 'R_OK'));
if (!isInstalled()) {
  say('The packages are not installed yet. Run "node scripts/prepare.mjs" (or "npm ci") once, then try again.', 50);
  process.exit(1);
}
// For help texts: how to call it again.
process.env.LEDGER_MIRROR_COMMAND ??= commandOf(process.argv[1]);
// The npm package has JavaScript in the place of TypeScript.
const [main] = ['main.ts', 'main.js'].map((name) => join(folder, '..', 'src', 'cli', name)).filter(existsSync);
process.argv.splice(2, 0, main);
await import('./run.mjs');

/** Beside the program, or above it where it is a package among others. */
function isInstalled() {
  try {
    createRequire(import.meta.url).resolve('fastify');
    return true;
  } catch {
    return false;
  }
}

function commandOf(script) {
  if (basename(script) === 'ledger-mirror') return 'ledger-mirror';
  const path = relative(process.cwd(), script);
  return `node ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}
