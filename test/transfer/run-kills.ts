// node scripts/run.mjs test/transfer/run-kills.ts --kills 15 --blocks 300 --seed 1
import { parseArgs } from 'node:util';
import { killTransfers } from './kill-transfers.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '15' },
    blocks: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});
const { kills, ended, different } = await killTransfers({
  kills: Number(values.kills),
  blocks: Number(values.blocks),
  seed: Number(values.seed),
  tell: (sentence) => console.log(sentence),
});
console.log(`${kills} kills, ${ended} commands that came to their end, ${different.length} differences`);
for (const difference of different) console.log(difference);
process.exitCode = different.length === 0 ? 0 : 1;
setTimeout(() => process.exit(), 2000).unref();
