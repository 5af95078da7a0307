// node scripts/run.mjs test/calls/run-reruns.ts [--transactions <n>] [--seed <text>]: contract transactions of simulated networks run again
// from the store at their place, at least n of them: record files, wrapped blocks, block streams and a cutover, with three rules of
// how much gas comes back. Prints what they were and each that is different: none.
import { parseArgs } from 'node:util';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { rerunNetwork } from './rerun-network.ts';

const { values } = parseArgs({
  options: { transactions: { type: 'string', default: '10000' }, seed: { type: 'string', default: 'reruns' } },
});
const wanted = Number(values.transactions);
const networks: readonly Pick<NetworkOptions, 'format' | 'cutoverAt' | 'maxGasBack'>[] = [
  { format: 'records' },
  { format: 'blocks' },
  { format: 'records', maxGasBack: 100 },
  { cutoverAt: 20n, maxGasBack: 0 },
  { format: 'wrapped', maxGasBack: 50 },
];
const total = { equal: 0, refused: 0, different: 0 };
const kinds: Record<string, number> = {};
const refused: Record<string, number> = {};
const cpu = process.cpuUsage();
for (let round = 0; total.equal < wanted; round++) {
  const network = networks[round % networks.length]!;
  const seed = `${values.seed} ${round}`;
  const done = await rerunNetwork({ seed, blocks: 30, transactionsPerBlock: 60, mix: 'contracts', network });
  for (const line of done.different) console.log(`seed ${seed}: ${line}`);
  add(kinds, done.kinds);
  add(refused, done.refused);
  total.equal += done.equal;
  total.different += done.different.length;
  console.log(
    `${seed} ${JSON.stringify(network, (_, item) => (typeof item === 'bigint' ? `${item}` : item))}: ${done.equal} equal`,
  );
}
for (const [kind, count] of Object.entries(kinds).sort(([, one], [, other]) => other - one))
  console.log(`${count} ${kind}`);
for (const [status, count] of Object.entries(refused)) console.log(`${count} refused before they ran: ${status}`);
const { user, system } = process.cpuUsage(cpu);
console.log(`${total.equal} equal, ${total.different} different; ${((user + system) / 1e6).toFixed(0)} s of CPU`);
process.exitCode = total.different === 0 ? 0 : 1;

function add(to: Record<string, number>, more: Record<string, number>): void {
  for (const [name, count] of Object.entries(more)) to[name] = (to[name] ?? 0) + count;
}
