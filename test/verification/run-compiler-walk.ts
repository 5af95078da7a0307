// `node scripts/run.mjs test/verification/run-compiler-walk.ts --compilers <folder>`: fetches every release of the
// package `solc` from 0.4.11 on into the folder, as `--verify-download npm` does, checks a small contract with each
// within the usual limits, and prints the peak of memory. Exit code 0 only when every release could. 1.3 GB, and ten
// minutes of processor time.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareVersions, parseCompilerVersion } from '../../packages/verification/compilers/compiler-version.ts';
import { createVerifier } from '../../packages/verification/create-verifier.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
import { checkWithCompiler } from './check-with-compiler.ts';

const { values } = parseArgs({
  options: { compilers: { type: 'string' }, from: { type: 'string', default: '0.4.11' }, only: { type: 'string' } },
});
if (values.compilers === undefined) {
  console.error(
    'Usage: node scripts/run.mjs test/verification/run-compiler-walk.ts --compilers <folder> [--from <version>] [--only <version>]',
  );
  process.exit(2);
}

const first = parseCompilerVersion(values.from)!;
const published = JSON.parse(execFileSync('npm', ['view', 'solc', 'versions', '--json'], { encoding: 'utf8' }));
const releases = (published as string[])
  .filter((number) => /^\d+\.\d+\.\d+$/.test(number))
  .map((number) => parseCompilerVersion(number)!)
  .filter((version) => compareVersions(version, first) <= 0)
  .filter(({ number }) => values.only === undefined || number === values.only)
  .sort(compareVersions)
  .reverse();

const verifier = createVerifier({
  compilers: { folder: resolve(values.compilers), download: 'npm', downloadUrl: '' },
  limits: {
    compileMs: Number(settingsTable['verify-compile-seconds'].default) * 1000,
    memoryBytes: Number(settingsTable['verify-compile-memory'].default) * 1_000_000,
    concurrent: 1,
    queue: 1,
    inputBytes: 100_000,
  },
  log: (line) => console.error(line),
});
/** Published with the content of another release, and never again. */
const mislabelled = new Set(['0.8.1']);
let failed = 0;
for (const { number } of releases) {
  try {
    const { compilerVersion, status, peakBytes } = await checkWithCompiler(verifier, number);
    const isRight = status === 'perfect';
    if (!isRight) failed += 1;
    console.log(`${isRight ? 'ok    ' : 'FAILED'} ${compilerVersion}: ${status}, ${Math.round(peakBytes / 1e6)} MB`);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const isOther = mislabelled.has(number) && code === 'compiler_not_available';
    if (!isOther) failed += 1;
    console.log(isOther ? `ok     ${number} is another release on npm, and refused` : `FAILED ${number}: ${message}`);
  }
}
await verifier.close();
console.log(`${releases.length} releases, ${failed} failed`);
process.exit(failed === 0 && releases.length > 0 ? 0 : 1);
