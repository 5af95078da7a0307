// `node scripts/run.mjs test/object-store/run-soak.ts --groups 5000 --kills 8`: an import from a bucket of a throttled,
// failing store, killed again and again, compared with an import of the same files from a folder; then a listing of a
// million names. Exit code 0 only when all is complete, in order, nothing twice.
import { parseArgs } from 'node:util';
import { storeCredentials } from '../support/servers/object-server.ts';
import { listManyNames, soakBuckets } from './soak-buckets.ts';

const { values } = parseArgs({
  options: {
    groups: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '8' },
    names: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '500' },
  },
});
Object.assign(process.env, storeCredentials);

for (const behind of [0, 0.999]) {
  const { names, groups, requests, seconds, memoryMb } = await listManyNames(Number(values.names), behind);
  console.log(
    `${names} names, begun behind ${100 * behind} % of them: ${groups} groups in order, ${requests} requests, ${seconds.toFixed(1)} s, at most ${memoryMb} MB`,
  );
}

const groups = Number(values.groups);
const report = await soakBuckets({
  groups,
  kills: Number(values.kills),
  seed: values.seed,
  requestsPerSecond: Number(values.rate),
  say: console.log,
});
const isInOrder = report.numbers.length === groups && report.numbers.every((number, at) => number === BigInt(at));
const faults = Object.entries(report.faults).map(([fault, count]) => `${fault} ${count}`);
const { list, get } = report.requests;
const { memoryMb, differences } = report;
console.log(
  `${groups} groups in ${report.seconds.toFixed(0)} s, killed ${report.kills} times; ${list} list and ${get} read requests; ${faults.join(', ')}`,
);
const quarters = [0.25, 0.5, 0.75, 1].map((share) => memoryMb[Math.ceil(share * memoryMb.length) - 1]);
console.log(
  `memory of the last importer after each quarter of its time: ${quarters.join(', ')} MB, at most ${Math.max(...memoryMb)}`,
);
console.log(isInOrder ? 'complete, in order, nothing twice' : `NOT in order: ${report.numbers.length} blocks`);
console.log(differences.length === 0 ? 'the same tables as from a folder' : `DIFFERENT: ${differences.join(', ')}`);
process.exit(isInOrder && differences.length === 0 ? 0 : 1);
