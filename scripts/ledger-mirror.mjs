#!/usr/bin/env node
// The published command: hands over to src/cli/main.ts under a Node that runs TypeScript.
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from './say.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
if (!existsSync(join(folder, '..', 'node_modules'))) {
  say('The packages are not installed yet. Run "node scripts/prepare.mjs" (or "npm ci") once, then try again.', 50);
  process.exit(1);
}
// For help texts: how to call it again.
process.env.LEDGER_MIRROR_COMMAND ??= commandOf(process.argv[1]);
process.argv.splice(2, 0, join(folder, '..', 'src', 'cli', 'main.ts'));
await import('./run.mjs');

function commandOf(script) {
  if (basename(script) === 'ledger-mirror') return 'ledger-mirror';
  const path = relative(process.cwd(), script);
  return `node ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}
