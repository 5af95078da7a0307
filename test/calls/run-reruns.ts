// node scripts/run.mjs test/calls/run-reruns.ts [--transactions <n>] [--judged <n>] [--seed <text>]: contract
// transactions of simulated networks run again from the store at their place, at least n of them: from record files,
// wrapped blocks, block streams and over a cutover, with all gas coming back and a fifth; and plain ones in
// @ethereumjs/evm, too. Prints what they were, and each that is
// different: none.
import { parseArgs } from 'node:util';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { judgeRerun } from './judge-rerun.ts';
import { rerunNetwork } from './rerun-network.ts';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '10000' },
    judged: { type: 'string', default: '1000' },
    seed: { type: 'string', default: 'reruns' },
  },
});
const networks: readonly Pick<NetworkOptions, 'format' | 'cutoverAt' | 'maxGasBack'>[] = [
  { format: 'records', maxGasBack: 100 },
  { format: 'blocks', maxGasBack: 100 },
  { format: 'records', maxGasBack: 20 },
  { cutoverAt: 20n, maxGasBack: 100 },
  { format: 'blocks', maxGasBack: 20 },
  { format: 'wrapped', maxGasBack: 100 },
];
type Counts = Record<string, number>;
const total = { equal: 0, different: 0, judged: 0 };
const kinds: Counts = {};
const refused: Counts = {};
const notPlain: Counts = {};
const cpu = process.cpuUsage();
for (let round = 0; total.equal < Number(values.transactions) || total.judged < Number(values.judged); round++) {
  const network = networks[round % networks.length]!;
  const seed = `${values.seed} ${round}`;
  const options = { seed, blocks: 45, transactionsPerBlock: 60, mix: 'contracts', network } as const;
  const done = await rerunNetwork(options, async (equal, world) => {
    if (total.judged >= Number(values.judged)) return;
    const judged = await judgeRerun(equal, world);
    if (judged.kind === 'notPlain') return add(notPlain, { [judged.why]: 1 });
    total.judged += 1;
    total.different += judged.differs.length;
    for (const line of judged.differs) console.log(`seed ${seed}: ${equal.result.consensusTimestamp} ${line}`);
  });
  for (const line of done.different) console.log(`seed ${seed}: ${line}`);
  add(kinds, done.kinds);
  add(refused, done.refused);
  total.equal += done.equal;
  total.different += done.different.length;
  const { format = 'cutover', maxGasBack } = network;
  console.log(
    `seed ${seed}, ${format}, ${maxGasBack} per cent come back: ${done.equal} equal, ${done.different.length} different`,
  );
}
print(kinds, 'equal');
print(refused, 'refused before they ran, which is why they were not run');
print(notPlain, 'not judged');
const { user, system } = process.cpuUsage(cpu);
console.log(
  `${total.equal} equal, ${total.judged} judged, ${total.different} different; ${((user + system) / 1e6).toFixed(0)} s of CPU`,
);
process.exitCode = total.different === 0 ? 0 : 1;

function add(to: Counts, more: Counts): void {
  for (const [name, count] of Object.entries(more)) to[name] = (to[name] ?? 0) + count;
}

function print(counts: Counts, what: string): void {
  const lines = Object.entries(counts).sort(([, one], [, other]) => other - one);
  console.log(`${what}: ${lines.map(([name, count]) => `${count} ${name}`).join(', ')}`);
}
