// `node scripts/run.mjs test/property/run-ledger-soak.ts --transactions 1000000 --seed 1`: a simulated network writes
// random transactions of every type and the mirror follows; now and then, and at the end, everything that must be true
// of the ledger is checked, and all that the network knows of its own state. Exit code 0 only when nothing was wrong.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { transactionTypeName, transactionTypes } from '../../packages/protocol/hapi/transaction-types.ts';
import { createNetwork } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { checkInvariants } from '../oracle/answers/check-invariants.ts';
import { compareWithTruth, comparisonNames } from '../oracle/answers/compare-with-truth.ts';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '100000' },
    /** Of a hundred blocks, how many have nothing but ordinary transfers, messages and calls. */
    ordinary: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const [transactions, ordinary] = [values.transactions, values.ordinary].map(Number) as [number, number];
if (!(transactions > 0 && ordinary >= 0 && ordinary < 100)) {
  console.error(
    'Usage: node scripts/run.mjs test/property/run-ledger-soak.ts [--transactions <count>] [--ordinary <percent>] [--seed <text>]',
  );
  process.exit(2);
}

const start = 1_790_000_000_000_000_000n;
const blockTime = 600_000_000_000n;
const transactionsPerBlock = 400;
const blocksBetweenImports = 50;
const importsBetweenChecks = 10;

const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1000);
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const network = await createNetwork({ folder, seed: values.seed, nodes: 1, keepBlocks: 100 });
const scratch = await createScratchDatabase();
const { connectionString } = scratch;
const db = openDatabase({ connectionString, maxConnections: 1 });
const problems: unknown[] = [];
let written = 0;
let importMs = 0;
let failed = false;

async function importBlocks(): Promise<void> {
  const from = performance.now();
  const writer = await createBlockWriter({ connectionString });
  const addressBook = readFileSync(network.addressBookPath);
  const source = createFolderSource({ path: folder });
  const onProblem = (problem: unknown) => problems.push(problem);
  await importStream({ source, db, writer, addressBook, live: false, onDoubt: onProblem, onDefect: onProblem });
  await writer.close();
  importMs += performance.now() - from;
}

async function check(): Promise<void> {
  const from = performance.now();
  const { tables } = network.state();
  const checks: [string, () => Promise<void>][] = [
    ['invariants', () => checkInvariants(db)],
    ...comparisonNames.map((name): [string, () => Promise<void>] => [name, () => compareWithTruth(name, db, tables)]),
  ];
  for (const [name, run] of checks) {
    await run().catch((error: Error) => {
      failed = true;
      console.log(`FAILED ${name}: ${error.message}`);
    });
  }
  console.log(
    `${written} transactions: ${checks.length} checks in ${Math.round(performance.now() - from)} ms, ${seconds()} s`,
  );
}

for (let block = 0; written < transactions; block++) {
  const { transactions: items } = await network.writeBlock({
    consensusStart: start + BigInt(block) * blockTime,
    transactions: transactionsPerBlock,
    mix: block > 20 && block % 100 < ordinary ? 'bulk' : 'demo',
  });
  written += items;
  if (block % blocksBetweenImports === blocksBetweenImports - 1) {
    await importBlocks();
    if (block % (blocksBetweenImports * importsBetweenChecks) === blocksBetweenImports * importsBetweenChecks - 1) {
      await check();
    }
  }
}
await importBlocks();
await check();

const counts = await db.query<{ type: bigint; count: bigint; failures: bigint }>({
  name: 'soak-counts',
  text: `select type, count(*) as count, count(*) filter (where result not in (22, 104, 220)) as failures
    from transaction group by type order by type`,
});
const names = counts.map(({ type, count, failures }) => `${transactionTypeName(Number(type))} ${count} (${failures})`);
console.log(`by type, failures in brackets: ${names.join(', ')}`);
const missing = transactionTypes.filter(({ number }) => !counts.some(({ type }) => Number(type) === number));
const stored = counts.reduce((sum, { count }) => sum + count, 0n);
if (missing.length > 0) console.log(`FAILED never written: ${missing.map(({ name }) => name).join(', ')}`);
if (problems.length > 0)
  console.log(`FAILED ${problems.length} problems, the first one: ${JSON.stringify(problems[0])}`);
if (stored !== BigInt(written)) console.log(`FAILED ${written} written and ${stored} stored`);
console.log(
  `${stored} transactions of ${counts.length} types in ${seconds()} s, ${Math.round(importMs / 1000)} s of them for the import (${Math.round(Number(stored) / (importMs / 1000))} a second)`,
);
await db.close();
await scratch.close();
await network.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failed || missing.length > 0 || problems.length > 0 || stored !== BigInt(written) ? 1 : 0);
