// `npm run corpus -- --specs <folder>`: answers every request of the Hiero mirror node's REST specifications below the
// folder and says where our answer is another one. Exit code 0 only when all are met.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { findSpecFiles, readSpecFile } from '../../packages/test-support/rows/spec-file.ts';
import { openCorpusDatabase, runSpecFile } from './run-spec-file.ts';

const usage = 'Usage: npm run corpus -- --specs <folder> [--only <part of a path>]';
const values = readArguments();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
if (!values.specs) refuse('The folder with the specification files is missing.');
if (!existsSync(values.specs)) refuse(`There is no folder ${values.specs}.`);

const { specs, only } = values;
const files = findSpecFiles(specs).filter((path) => !only || path.includes(only));
const scratch = await createScratchDatabase();
const database = await openCorpusDatabase(scratch.connectionString);
let passed = 0;
let failed = 0;
for (const path of files) {
  let cases = 1;
  try {
    const spec = readSpecFile(specs, path);
    cases = spec.variants.flatMap((variant) => variant.cases).length;
    for (const { name, problems } of await runSpecFile(spec, database)) {
      if (problems.length === 0) passed++;
      else failed++;
      if (problems.length > 0) console.log(`FAILED ${name}\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    }
  } catch (error) {
    failed += cases;
    console.log(`FAILED ${path}, which could not be run\n  ${(error as Error).message}`);
  }
}
await database.close();
await scratch.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function readArguments() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ options: { specs: text, only: text, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(reason: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}
