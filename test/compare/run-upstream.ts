// `node scripts/run.mjs test/compare/run-upstream.ts --clone <folder>`: what a checkout of the Hiero consensus node or
// mirror node has and this program has not, and the other way round: transaction types, functionalities, response
// codes, items of blocks, changes of state, messages, and the API document. `--clone` may be given several times;
// `--all` shows what is left out on purpose as well. Exit code 0 only when nothing else is different.
import { parseArgs } from 'node:util';
import { compareClone } from './upstream/compare-clone.ts';
import { describeComparison } from './upstream/describe-comparison.ts';
import { leftOut } from './upstream/left-out.ts';

const { values } = parseArgs({
  options: { clone: { type: 'string', multiple: true, default: [] }, all: { type: 'boolean', default: false } },
});
if (values.clone.length === 0) {
  console.error('Usage: node scripts/run.mjs test/compare/run-upstream.ts --clone <folder> [--clone <folder>] [--all]');
  process.exit(2);
}
for (const folder of values.clone) {
  const { text, open } = describeComparison(compareClone(folder), leftOut, values.all);
  console.log(`${folder}\n${text}\n`);
  if (open > 0) process.exitCode = 1;
}
