// node scripts/run.mjs test/evm/run-programs.ts [--programs <n>] [--from <seed>]: random programs in the machine and in
// @ethereumjs/evm; prints what differs, with the seed of the program: nothing. 100,000 programs take some minutes.
import { parseArgs } from 'node:util';
import { comparePrograms } from './compare-programs.ts';

const { values } = parseArgs({
  options: { programs: { type: 'string', default: '100000' }, from: { type: 'string', default: '1' } },
});
const [count, from] = [Number(values.programs), Number(values.from)];
const batch = 5000;
let differing = 0;
const cpu = process.cpuUsage();
for (let start = from; start < from + count; start += batch) {
  const compared = await comparePrograms(start, Math.min(batch, from + count - start));
  for (const { seed, found } of compared.differing) {
    differing += 1;
    console.log(`program ${seed}: ${found.join('; ').slice(0, 2000)}`);
  }
  const { programs, results, gas, logs, slots } = compared;
  const ends = Object.entries(results).map(([result, times]) => `${times} ${result}`);
  console.log(`${start + programs - from} programs: ${ends.join(', ')}; ${gas} gas, ${logs} logs, ${slots} slots`);
}
const { user, system } = process.cpuUsage(cpu);
console.log(`${differing} differ; ${((user + system) / 1e6).toFixed(0)} s of CPU`);
process.exitCode = differing === 0 ? 0 : 1;
