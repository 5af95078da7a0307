// Blocks of simulated and real networks, each changed in many ways: every one is read to its end, and says nothing that
// the block does not say. Prints what it finds, and ends with 1 if that is anything. --seeds and --first vary the
// ledgers, --runs the changes, --kinds of which.
import { parseArgs } from 'node:util';
import { judgeMutations, mutationKinds, realBlocks, simulateBlocks } from './judge-mutations.ts';

const { values } = parseArgs({
  options: {
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '3' },
    blocks: { type: 'string', default: '10' },
    runs: { type: 'string', default: '200' },
    kinds: { type: 'string', default: mutationKinds.join(',') },
  },
});

const [first, seeds, runs] = [Number(values.first), Number(values.seeds), Number(values.runs)];
const blocks = realBlocks();
for (const stateForm of ['whole', 'saving', 'always'] as const) {
  for (let seed = first; seed < first + seeds; seed++) {
    const size = { blocks: Number(values.blocks), transactions: 12 };
    blocks.push(...(await simulateBlocks({ seed: `mutated ${seed}`, stateForm, ...size })));
  }
}
let failures = 0;
for (const kind of mutationKinds.filter((one) => values.kinds.split(',').includes(one))) {
  const total = { variants: 0, whole: 0, shown: 0, missing: 0, doubts: 0 };
  for (const [index, block] of blocks.entries()) {
    const { counts, findings } = judgeMutations(block, kind, { numRuns: runs, seed: first + index });
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
    for (const finding of findings.slice(0, 3)) console.log(finding);
    failures += findings.length;
  }
  console.log(`${kind}: ${JSON.stringify(total)}`);
}
console.log(`${blocks.length} blocks, ${failures} findings`);
process.exitCode = failures > 0 ? 1 : 0;
