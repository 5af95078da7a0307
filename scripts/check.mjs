// All static checks at once: types, lint and format, layers, shape, SQL, dead code, tests that assert nothing. Each
// prints what it found when it ends, and how long it took. Types are checked by the native compiler; the package
// `typescript` is the older one, whose API the scripts here and dependency-cruiser parse with.
import { spawn } from 'node:child_process';

const checks = [
  [
    'types',
    'node_modules/typescript-native/bin/tsc',
    ['--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc'],
  ],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', ['ci', '.']],
  ['folders both ways, long functions', 'scripts/check-shape.mjs', []],
  ['words that plain texts do not use', 'scripts/check-words.mjs', []],
  [
    'layers',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ['--config', '.dependency-cruiser.mjs', 'src', 'packages', 'clients', 'test', 'bench', 'scripts'],
  ],
  ['SQL outside the stores', 'scripts/find-sql.mjs', []],
  ['generated types', 'scripts/generate-messages.mjs', ['--check']],
  ['dead code', 'node_modules/knip/bin/knip.js', []],
  [
    'code that only tests reach',
    'node_modules/knip/bin/knip.js',
    ['--production', '--config', 'knip.production.jsonc'],
  ],
  ['tests that assert nothing', 'scripts/list-weak-tests.mjs', []],
];

const results = await Promise.all(checks.map(run));
process.exit(results.every(Boolean) ? 0 : 1);

/** Whether it passed. */
function run([name, script, args]) {
  const started = performance.now();
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(output));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      resolve(status === 0);
    });
  });
}
