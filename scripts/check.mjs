// All static checks, one after another: types, lint and format, layers, dead code.
import { spawnSync } from 'node:child_process';

const checks = [
  ['types', 'node_modules/typescript/bin/tsc', ['--noEmit']],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', ['ci', '.']],
  [
    'layers',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ['--config', '.dependency-cruiser.mjs', 'src'],
  ],
  ['dead code', 'node_modules/knip/bin/knip.js', []],
];

let failed = 0;
for (const [name, script, args] of checks) {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
