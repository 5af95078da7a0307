// `node scripts/run.mjs test/block-node/run-rehearsal.ts --blocks 5000 --kills 20`: an import from block nodes that
// fail in every way, killed again and again, compared with an import of the same blocks from a folder. Exit code 0 only
// when they agree.
import { parseArgs } from 'node:util';
import { rehearseBlockNodes } from './rehearse-block-nodes.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const blocks = Number(values.blocks);
const report = await rehearseBlockNodes({ blocks, kills: Number(values.kills), seed: values.seed, say: console.log });
const isInOrder = report.numbers.length === blocks && report.numbers.every((number, at) => number === BigInt(at));
const faults = Object.entries(report.faults).map(([fault, count]) => `${fault} ${count}`);
console.log(`${blocks} blocks in ${report.seconds.toFixed(0)} s, killed ${report.kills} times; ${faults.join(', ')}`);
console.log(isInOrder ? 'complete, in order, nothing twice' : `NOT in order: ${report.numbers.length} blocks`);
const { differences } = report;
console.log(differences.length === 0 ? 'the same tables as from a folder' : `DIFFERENT: ${differences.join(', ')}`);
process.exit(isInOrder && differences.length === 0 ? 0 : 1);
