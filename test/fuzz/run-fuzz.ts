// `node scripts/run.mjs test/fuzz/run-fuzz.ts --requests 200000 --dialect both --seed 1`: sends generated requests to
// servers over scratch databases and prints wrong answers. Exit code 0 only if there are none.
import { parseArgs } from 'node:util';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { fuzz } from './fuzz.ts';
import { openFuzzTargets } from './fuzz-targets.ts';
import { describeWords } from './ledger-words.ts';

const dialectsByChoice: Record<string, DialectName[]> = { both: ['spec', 'hiero'], spec: ['spec'], hiero: ['hiero'] };

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    first: { type: 'string', default: '0' },
    dialect: { type: 'string', default: 'both' },
    seed: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '60' },
  },
});
const dialects = dialectsByChoice[values.dialect];
const [requests, first, blocks] = [values.requests, values.first, values.blocks].map(Number) as [
  number,
  number,
  number,
];
if (!dialects || ![requests, first, blocks].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error(
    'Usage: node scripts/run.mjs test/fuzz/run-fuzz.ts [--requests <count>] [--dialect both|spec|hiero] [--seed <text>] [--first <number>] [--blocks <count>]',
  );
  process.exit(2);
}

const { targets, close } = await openFuzzTargets({ dialects, seed: values.seed, blocks });
for (const { name, words } of targets) console.log(`${name}: ${describeWords(words)}`);
const started = performance.now();
const report = await fuzz({
  targets,
  seed: values.seed,
  first,
  requests,
  slowestMs: 1000,
  onProgress: (done) => {
    if (done % 10_000 === 0) console.log(`${done} requests, ${Math.round((performance.now() - started) / 1000)} s`);
  },
});
await close();

for (const fault of report.faults) console.log(`FAILED ${fault}`);
const statuses = Object.entries(report.statuses).map(
  ([status, count]) => `${count} × ${status === '0' ? 'closed' : status}`,
);
console.log(
  `${report.requests} requests in ${Math.round((performance.now() - started) / 1000)} s: ${statuses.join(', ')}; slowest ${Math.round(report.slowestMs)} ms; ${report.faults.length} faults`,
);
process.exit(report.faults.length === 0 && report.requests > 0 ? 0 : 1);
