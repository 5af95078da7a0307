#!/usr/bin/env node
// The published command: hands over to src/cli/main.ts under a Node that runs TypeScript.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
process.argv.splice(2, 0, join(folder, '..', 'src', 'cli', 'main.ts'));
await import('./run.mjs');
