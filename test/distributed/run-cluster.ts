// `node scripts/run.mjs test/distributed/run-cluster.ts --cluster postgres://admin@coordinator/mirror`: what the tests
// of this folder do on a stand-in, on a real cluster of Citus. Makes a separate database on every machine of it, and
// drops it. An import, made-up requests, and calls, traces and JSON-RPC of `--runs` contract transactions are compared
// with one machine; then machines are lost while blocks come: their connections are cut, and with `--kill <command>
// --revive <command>`, run by a shell, the PostgreSQL of one is ended and started again. Exit code 0 only when
// everything is as on one machine; also where no cluster is named, which it says.
import { execSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { compareDatabases } from './cluster/compare-dumps.ts';
import { compareQuestions } from './cluster/compare-questions.ts';
import { compareRequests } from './cluster/compare-requests.ts';
import { loseMachines } from './cluster/lose-machines.ts';
import { createScratchCluster, type ScratchCluster } from './cluster/scratch-cluster.ts';

const { values } = parseArgs({
  options: {
    cluster: { type: 'string', default: process.env.CITUS_DATABASE_URL ?? '' },
    blocks: { type: 'string', default: '120' },
    transactions: { type: 'string', default: '45' },
    requests: { type: 'string', default: '3000' },
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    losses: { type: 'string', default: '12' },
    kill: { type: 'string' },
    revive: { type: 'string' },
  },
});
if (values.cluster === '') {
  console.log('SKIPPED: no cluster. Name the coordinator of one with --cluster <url>, or in CITUS_DATABASE_URL.');
  process.exit(0);
}

let faults = 0;
for (const work of [importAndAsk, runAgain, beginLater, loseSome]) {
  const cluster = await createScratchCluster(values.cluster);
  const plain = await createScratchDatabase();
  console.log(cluster.description);
  try {
    await migrate({ ...cluster, distributed: true, log: console.log });
    await work(cluster, plain.connectionString);
  } finally {
    await plain.close();
    await cluster.close();
  }
}
console.log(faults === 0 ? 'ALL EQUAL' : `${faults} DIFFERENCES`);
process.exit(faults === 0 ? 0 : 1);

async function importAndAsk(cluster: ScratchCluster, plain: string): Promise<void> {
  const { seed } = values;
  const [blocks, transactionsPerBlock, requests] = [values.blocks, values.transactions, values.requests].map(Number);
  if (blocks === 0) return;
  const stream = await writeSimulatedStream({ seed, blocks: blocks!, transactionsPerBlock: transactionsPerBlock! });
  const seconds: number[] = [];
  for (const connectionString of [plain, cluster.connectionString]) {
    const started = performance.now();
    await stream.importInto(connectionString, { commitTransactions: 0 });
    seconds.push((performance.now() - started) / 1000);
  }
  stream.close();
  const lasted = seconds.map((each) => `${each.toFixed(1)} s`).join(' on one machine, ');
  console.log(`Import of ${blocks} blocks, a commit each: ${lasted} on the cluster`);
  await compare(cluster, plain);
  const report = await compareRequests(
    { expected: plain, actual: cluster.connectionString },
    { requests: requests!, seed },
  );
  for (const line of report.different.slice(0, 40)) console.log(`DIFFERENT ${line}`);
  faults += report.different.length;
  const { expected, actual } = report.meanMs;
  const statuses = Object.entries(report.statuses).map(([status, count]) => `${status}: ${count}`);
  console.log(`${report.compared} requests (${statuses.join(', ')}), ${report.different.length} different`);
  console.log(
    `Mean time of an answer: ${expected.toFixed(1)} ms on one machine, ${actual.toFixed(1)} ms on the cluster`,
  );
}

/** Of contracts, in record files and blocks. */
async function runAgain(cluster: ScratchCluster, plain: string): Promise<void> {
  const { seed } = values;
  const runs = Number(values.runs);
  if (runs === 0) return;
  const network = { cutoverAt: 10n };
  const stream = await writeSimulatedStream({ seed, blocks: 24, transactionsPerBlock: 45, mix: 'contracts', network });
  for (const connectionString of [plain, cluster.connectionString]) await stream.importInto(connectionString);
  stream.close();
  console.log('Import of 24 blocks of contract transactions over a cutover');
  await compare(cluster, plain);
  const { compared, different, seconds } = await compareQuestions(
    { expected: plain, actual: cluster.connectionString },
    { every: 3, runs },
  );
  for (const line of different.slice(0, 40)) console.log(`DIFFERENT ${line}`);
  faults += different.length;
  console.log(`${compared} answers of calls, traces, JSON-RPC and the import, ${different.length} different`);
  const lasted = [seconds.expected, seconds.actual].map((each) => each.toFixed(1));
  console.log(`They took ${lasted[0]} s on one machine, ${lasted[1]} s on the cluster`);
}

/** Balances are not known then: the merges of a block are others. */
async function beginLater(cluster: ScratchCluster, plain: string): Promise<void> {
  if (Number(values.blocks) === 0) return;
  const stream = await writeSimulatedStream({ seed: values.seed, blocks: 20, transactionsPerBlock: 25 });
  for (const connectionString of [plain, cluster.connectionString]) {
    await stream.importInto(connectionString, { start: { kind: 'block', number: 5n } });
  }
  stream.close();
  console.log('Import of 20 blocks from the sixth on');
  await compare(cluster, plain);
}

async function loseSome(cluster: ScratchCluster, plain: string): Promise<void> {
  const { seed, kill, revive } = values;
  const losses = Number(values.losses);
  if (losses === 0) return;
  const run = (command: string) => () => void execSync(command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const commands = kill !== undefined && revive !== undefined ? { kill: run(kill), revive: run(revive) } : null;
  const report = await loseMachines(cluster, plain, { losses, seed, kill: commands });
  for (const fault of report.faults) console.log(`FAULT ${fault}`);
  faults += report.faults.length;
  const kinds = Object.entries(report.losses).map(([name, count]) => `${name} ${count}`);
  console.log(`A machine was lost while ${report.blocks} blocks came: ${kinds.join(', ')}`);
  console.log(`${losses - report.unsaid} of ${losses} times the import said that it was not ready`);
  await compare(cluster, plain);
}

async function compare(cluster: ScratchCluster, plain: string): Promise<void> {
  const { tables, rows, different } = await compareDatabases(plain, cluster.connectionString);
  for (const line of different) console.log(`DIFFERENT ${line}`);
  const prepared = await cluster.countPrepared();
  faults += different.length + prepared;
  console.log(
    `${tables - different.length} of ${tables} tables equal, ${rows} rows; ${prepared} prepared transactions left`,
  );
}
