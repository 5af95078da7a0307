// What the network's proofs cost: CPU of the check of one block at the head of the stream, and the import of many
// blocks behind it beside one that checks none, in turns. On a shared machine only the ratios of one run hold.
//
//   node scripts/run.mjs bench/proofs.ts [--blocks 1000] [--transactions 20] [--rounds 3] [--head-only]
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { toBlock } from '../packages/streams/block-stream/block.ts';
import { itemKinds, splitBlock } from '../packages/streams/block-stream/block-item.ts';
import { createLabNetwork } from '../packages/test-support/proofs/lab-network.ts';
import { createRotatingLabNetwork } from '../packages/test-support/proofs/rotating-lab-network.ts';
import { signBlocks } from '../packages/test-support/proofs/sign-blocks.ts';
import { readBlocks } from '../packages/test-support/streams/write-network.ts';
import { createProofChecker } from '../src/importer/proving/check-proofs.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { runProgram } from './support/run-program.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { simulatedStream } from './support/simulated-stream.ts';

const wantedMs = 60;
const wantedRatio = 1.1;

const { values: options } = parseArgs({
  options: {
    blocks: { type: 'string', default: '1000' },
    transactions: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    'head-only': { type: 'boolean', default: false },
  },
});
const [blocks, transactionsPerBlock, rounds] = [options.blocks, options.transactions, options.rounds].map(Number) as [
  number,
  number,
  number,
];
const weights = Array.from({ length: 31 }, (_, node) => 1_000n + BigInt(node));
const network = createLabNetwork({ weights });
/** With a ledger id of 64 bytes: its signatures are those of later networks. */
const later = createRotatingLabNetwork({ weights });
const signers = Array.from({ length: 21 }, (_, node) => node);

console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
const stream = await simulatedStream({ format: 'blocks', blocks, transactionsPerBlock, nodes: 1 }, false);
const made = readBlocks(join(stream, 'blocks'));
console.log(`Signing ${made.length} blocks …`);
const headBlocks = 51;
const wantsAll = !options['head-only'];
const signed = signBlocks(wantsAll ? made : made.slice(0, headBlocks), { network, signers });
const heads = [
  { name: 'four quotients, ledger id of 32 bytes', ms: measureHead(signed, network.publication) },
  {
    name: 'one quotient, ledger id of 64 bytes',
    ms: measureHead(signBlocks(made.slice(0, headBlocks), { network: later, signers }), later.publication),
  },
];
printHeads();
if (!wantsAll) process.exit();
// Of a network that has published nothing: nothing is checked.
const unpublished = signBlocks(made, { network, signers, publications: {}, proofOf: () => 'unchecked' });

const runs = await withScratchFolder(async (folder) => {
  const sources = { checked: place(folder, 'checked', signed), unchecked: place(folder, 'unchecked', unpublished) };
  const measured: Record<keyof typeof sources, Figures[]> = { checked: [], unchecked: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['unchecked', 'checked'] as const) measured[name].push(await importOnce(sources[name]));
  }
  return measured;
});
print();

type Figures = { seconds: number; cpuSeconds: number; mainThreadSeconds: number; postgresCpuSeconds: number };

/** ms of CPU for a block, one at a time: the best ten in a row. */
function measureHead(blocks: readonly Buffer[], publication: Uint8Array): number {
  const asked = blocks.slice(0, headBlocks).map((bytes, place) => {
    const { number, roots, items } = toBlock(splitBlock(bytes));
    const proofs = items.filter(({ kind }) => kind === itemKinds.blockProof).map(({ content }) => content);
    return { number, roots, proofs, publications: place === 0 ? [publication] : [], namedKeys: [] };
  });
  const checker = createProofChecker();
  const check = (block: (typeof asked)[number]): void => {
    const { verified, reasons } = checker.check([block]);
    if (!verified.has(0)) throw new Error(`Block ${block.number}: ${reasons.get(0)?.reason}`);
  };
  for (const block of asked.slice(0, 11)) check(block);
  const figures: number[] = [];
  for (let first = 11; first < asked.length; first += 10) {
    const some = asked.slice(first, first + 10);
    const before = process.cpuUsage();
    for (const block of some) check(block);
    const { user, system } = process.cpuUsage(before);
    figures.push((user + system) / 1000 / some.length);
  }
  return Math.min(...figures);
}

function place(folder: string, name: string, files: readonly Buffer[]): string {
  const path = join(folder, name);
  mkdirSync(join(path, 'blocks'), { recursive: true });
  for (const [number, bytes] of files.entries()) {
    writeFileSync(join(path, 'blocks', `${number}.blk.gz`), gzipSync(bytes, { level: 1 }));
  }
  cpSync(join(stream, 'addressbook.bin'), join(path, 'addressbook.bin'));
  return path;
}

function importOnce(source: string): Promise<Figures> {
  return withScratchFolder(async (dataFolder) => {
    const target = ['--data-dir', dataFolder, '--log-level', 'warn'];
    await runProgram(['migrate', ...target], dataFolder);
    const run = await runProgram(['import', '--once', '--source', source, ...target], dataFolder);
    if (!run.output.includes(`Imported ${made.length.toLocaleString('en')} blocks`)) throw new Error(run.output);
    rmSync(dataFolder, { recursive: true, force: true });
    const { seconds, cpuSeconds, mainThreadSeconds } = run;
    return { seconds, cpuSeconds, mainThreadSeconds, postgresCpuSeconds: run.postgresCpuSeconds ?? 0 };
  });
}

function verdict(isKept: boolean): string {
  return isKept ? 'kept' : 'MISSED';
}

function printHeads(): void {
  console.log(`\nCPU a block at the head (at most ${wantedMs} ms)`);
  for (const { name, ms } of heads) console.log(`  ${name}: ${formatFigure(ms)} ms: ${verdict(ms <= wantedMs)}`);
}

function print(): void {
  const least = (name: keyof typeof runs, figure: (run: Figures) => number) => Math.min(...runs[name].map(figure));
  const all = ({ cpuSeconds, postgresCpuSeconds }: Figures) => cpuSeconds + postgresCpuSeconds;
  const row = (text: string, figure: (run: Figures) => number) => {
    const [unchecked, checked] = [least('unchecked', figure), least('checked', figure)];
    return [text, ...[unchecked, checked, checked / unchecked].map(formatFigure)];
  };
  console.log(`\n${made.length} blocks of ${transactionsPerBlock} transactions; best of ${rounds}`);
  printTable(
    ['s', 'no proof is checked', 'proofs are checked', 'ratio'],
    [
      row('time', ({ seconds }) => seconds),
      row('CPU of the importer and its PostgreSQL', all),
      row('  of the main thread', ({ mainThreadSeconds }) => mainThreadSeconds),
    ],
  );
  const ratio = least('checked', ({ seconds }) => seconds) / least('unchecked', ({ seconds }) => seconds);
  console.log(`Time behind the head: × ${ratio.toFixed(2)} (at most ${wantedRatio}): ${verdict(ratio <= wantedRatio)}`);
}
