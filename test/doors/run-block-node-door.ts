// `node scripts/run.mjs test/doors/run-block-node-door.ts --blocks 400 --kills 20`: a mirror follows a live network,
// another one follows it through the port of a block node, and each is killed so many times. Exit code 0 only when both
// end with the same tables.
import { parseArgs } from 'node:util';
import { rehearseBlockNodeDoor } from './rehearse-block-node-door.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '400' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    interval: { type: 'string', default: '500' },
    keep: { type: 'boolean', default: false },
  },
});
const blocks = Number(values.blocks);
const { kills, keep: keepsFiles, interval, seed } = values;
const report = await rehearseBlockNodeDoor({
  ...{ blocks, kills: Number(kills), seed, keepsFiles, intervalMs: Number(interval), say: console.log },
});
const isInOrder = report.numbers.length === blocks && report.numbers.every((number, at) => number === BigInt(at));
console.log(`${blocks} blocks in ${report.seconds.toFixed(0)} s, killed ${report.kills} times`);
console.log(isInOrder ? 'complete, in order, nothing twice' : `NOT in order: ${report.numbers.length} blocks`);
const { differences, rows } = report;
console.log(differences.length === 0 ? `the same tables, ${rows} rows` : `DIFFERENT: ${differences.join(', ')}`);
process.exit(isInOrder && differences.length === 0 ? 0 : 1);
