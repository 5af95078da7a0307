// `node scripts/run.mjs test/calls/run-tokens.ts --questions 10000 --seed <text>`: asks tokens of a simulated ledger by
// calls, now and at old blocks, and compares the answers with REST. Exit code 0 only when all agree.
import { parseArgs } from 'node:util';
import { compareTokens } from './compare-tokens.ts';
import { openKnownMoments } from './known-moments.ts';

const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '100' },
    transactions: { type: 'string', default: '100' },
  },
});
const { seed } = values;
const [blocks, transactionsPerBlock] = [Number(values.blocks), Number(values.transactions)];
const ledger = await openKnownMoments({ seed, blocks, transactionsPerBlock, moments: 40 });
try {
  const { differences, byName, ...counts } = await compareTokens(ledger, seed, Number(values.questions));
  console.log(counts, byName, `${Math.round(process.cpuUsage().user / 1e6)} s of CPU`);
  console.log(differences.length === 0 ? 'All agree.' : `${differences.length} DIFFER:`);
  for (const one of differences.slice(0, 30)) console.log(one);
  process.exitCode = differences.length === 0 ? 0 : 1;
} finally {
  await ledger.close();
}
