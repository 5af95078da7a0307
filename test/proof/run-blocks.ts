// `node scripts/run.mjs test/proof/run-blocks.ts --blocks 5000 --kills 20`: imports a block stream with proofs of every
// kind, and with places at which an import must stop, killed again and again. Exit code 0 only where everything is as
// without kills.
import { parseArgs } from 'node:util';
import { rehearseKills } from './rehearse-kills.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const [blocks, kills] = [Number(values.blocks), Number(values.kills)];
const report = await rehearseKills({ blocks, kills, seed: values.seed, say: console.log });
const kinds = Object.entries(report.kinds).map(([kind, count]) => `${kind} ${count}`);
console.log(
  `${blocks} blocks in ${report.seconds.toFixed(0)} s, killed ${report.kills} times; covered by: ${kinds.join(', ')}`,
);
for (const problem of report.problems) console.log(`WRONG: ${problem}`);
const { differences } = report;
console.log(differences.length === 0 ? 'the same tables as without kills' : `DIFFERENT: ${differences.join(', ')}`);
process.exit(report.problems.length === 0 && differences.length === 0 && report.kills === kills ? 0 : 1);
