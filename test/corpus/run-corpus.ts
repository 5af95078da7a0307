// `npm run corpus -- --specs <folder>`: answers every request of the Hiero mirror node's REST specifications below the
// folder and says where our answer is another one. Exit code 0 only when all are met.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runSpecFile } from './run-spec-file.ts';
import { readSpecFiles } from './spec-file.ts';

const { values } = parseArgs({ options: { specs: { type: 'string' }, only: { type: 'string' } } });
if (!values.specs || !existsSync(values.specs)) {
  console.error(
    `Usage: npm run corpus -- --specs <folder> [--only <part of a path>]\n${values.specs ? `There is no folder ${values.specs}.` : 'The folder with the specification files is missing.'}`,
  );
  process.exit(2);
}

const files = readSpecFiles(values.specs).filter((file) => !values.only || file.path.includes(values.only));
let passed = 0;
let failed = 0;
for (const file of files) {
  try {
    for (const { name, problems } of await runSpecFile(file)) {
      if (problems.length === 0) {
        passed++;
        continue;
      }
      failed++;
      console.log(`FAILED ${name}\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    }
  } catch (error) {
    failed += file.cases.length;
    console.log(`FAILED ${file.path}: the setup could not be loaded\n  ${(error as Error).message}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
