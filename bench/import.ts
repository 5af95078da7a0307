// Import benchmark: files of a simulated network, imported by the program in a separate process, with its built-in
// PostgreSQL, in large, small and tiny blocks. On a shared machine only the ratios to the bare parts of the same run
// and, less so, processor times hold.
//
//   node scripts/run.mjs bench/import.ts [--format records|wrapped|blocks] [--total 1000000] [--bulk] [--fresh]
//   node scripts/run.mjs bench/import.ts --blocks 20 --transactions 5000 [--nodes 1]
//
// --total: transactions in blocks of 5,000 and of 100; in blocks of 5 a tenth of it, whose files take hours to sign
// otherwise.
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { StreamFormat } from '../packages/simulated-network/files/stream-folder.ts';
import { copyAlone, decodeAlone } from './support/bare-parts.ts';
import { mediansOfTenths } from './support/medians-of-tenths.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { runProgram } from './support/run-program.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { defaultNodes, type StreamShape, simulatedStream } from './support/simulated-stream.ts';

const wantedPerSecond = 20_000;
const mostMb = 400;
/** Ratio of the last tenth of the time to the third, when the start is over. */
const maxGrowth = 1.2;

const { values: options } = parseArgs({
  options: {
    format: { type: 'string' },
    total: { type: 'string', default: '100000' },
    blocks: { type: 'string' },
    transactions: { type: 'string' },
    nodes: { type: 'string', default: String(defaultNodes) },
    bulk: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
});

const streamFormats: readonly StreamFormat[] = ['records', 'wrapped', 'blocks'];
const formats = streamFormats.filter((format) => format === (options.format ?? format));
if (formats.length === 0) throw new Error(`--format is one of ${streamFormats.join(', ')}`);
const total = Number(options.total);
const sizes = options.blocks
  ? [{ blocks: Number(options.blocks), transactionsPerBlock: Number(options.transactions ?? 5000) }]
  : [
      { blocks: Math.ceil(total / 5000), transactionsPerBlock: 5000 },
      { blocks: Math.ceil(total / 100), transactionsPerBlock: 100 },
      { blocks: Math.ceil(total / 50), transactionsPerBlock: 5 },
    ];
console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
for (const format of formats) {
  const runs: Measured[] = [];
  for (const size of sizes) {
    runs.push(
      await withScratchFolder((dataFolder) => measure({ format, nodes: Number(options.nodes), ...size }, dataFolder)),
    );
  }
  print(format, runs);
}

type Measured = Awaited<ReturnType<typeof measure>>;

async function measure(shape: StreamShape, dataFolder: string) {
  const stream = await simulatedStream(shape, options.fresh);
  const decode = decodeAlone(stream);
  const target = ['--data-dir', dataFolder, '--log-level', options.bulk ? 'info' : 'warn'];
  await runProgram(['migrate', ...target], dataFolder);
  const source = ['--source', stream, '--address-book', join(stream, 'addressbook.bin')];
  const how = ['--once', ...(options.bulk ? ['--bulk'] : [])];
  const run = await runProgram(['import', ...how, ...source, ...target], dataFolder);
  const found = run.output.match(/Imported ([\d,]+) blocks? with ([\d,]+) transactions?/) ?? [];
  const [blocks, transactions] = found.slice(1).map((text) => Number(text.replaceAll(',', '')));
  if (blocks === undefined || transactions !== decode.count) {
    throw new Error(`The files hold ${decode.count} transactions, the import says:\n${run.output}`);
  }
  const copy = await copyAlone(dataFolder);
  const stages = run.output.match(/verify \d+ %, rows \d+ %, database \d+ %/g)?.at(-1) ?? 'unknown';
  const indexSeconds = run.output.match(/Made \d+ indexes that the import had left out, in ([\d.]+) s/)?.[1] ?? 'none';
  return {
    shape,
    run,
    blocks,
    transactions,
    decode,
    copy,
    stages,
    indexSeconds,
    memoryMb: mediansOfTenths(run.samplesMb),
  };
}

function print(format: StreamFormat, runs: Measured[]): void {
  console.log(`\n${format}, from start to end of the process; CPU in ms per 1,000 transactions`);
  const nameOf = ({ shape }: Measured) => `${formatCount(shape.blocks)} × ${formatCount(shape.transactionsPerBlock)}`;
  printTable(
    ['blocks × transactions', ...runs.map(nameOf)],
    [
      row('transactions/s', runs, ({ run, transactions }) => formatFigure(transactions / run.seconds)),
      row('blocks/s', runs, ({ run, blocks }) => formatFigure(blocks / run.seconds)),
      row('CPU of the importer', runs, (of) => perThousand(of, of.run.cpuSeconds)),
      row('  its main thread', runs, (of) => perThousand(of, of.run.mainThreadSeconds)),
      row('  its other threads', runs, (of) => perThousand(of, of.run.cpuSeconds - of.run.mainThreadSeconds)),
      row('  its pauses for garbage collection', runs, (of) => perThousand(of, of.run.gcPauseSeconds)),
      row('CPU of its PostgreSQL', runs, (of) => perThousand(of, of.run.postgresCpuSeconds)),
      row('transactions/s that this CPU would allow', runs, (of) => formatFigure(allowedPerSecond(of))),
      ...['verify', 'rows', 'database'].map((stage) =>
        row(`time: ${stage}`, runs, ({ stages }) => stages.match(`${stage} (\\d+ %)`)?.[1] ?? 'unknown'),
      ),
      ...(options.bulk ? [row('late indexes, s', runs, ({ indexSeconds }) => indexSeconds)] : []),
      row('bare decode, part of the time', runs, ({ decode, run }) => formatFigure(decode.seconds / run.seconds)),
      row('bare COPY, part of the time', runs, ({ copy, run }) => formatFigure(copy.seconds / run.seconds)),
      row('rows a transaction', runs, ({ copy, transactions }) => formatFigure(copy.count / transactions)),
      row('peak memory, MB', runs, ({ run }) => formatFigure(run.peakMb)),
      ...runs[0]!.memoryMb.map((_, tenth) =>
        row(`memory, MB, tenth ${tenth + 1}`, runs, ({ memoryMb }) => formatFigure(memoryMb[tenth]!)),
      ),
    ],
  );
  for (const measured of runs) {
    const { run, transactions, memoryMb } = measured;
    const growth = memoryMb.at(-1)! / memoryMb[2]!;
    const misses = [
      ...(transactions / run.seconds >= wantedPerSecond ? [] : [`${formatCount(wantedPerSecond)} transactions/s`]),
      ...(run.peakMb < mostMb ? [] : [`at most ${mostMb} MB`]),
      ...(growth <= maxGrowth ? [] : [`flat memory (× ${growth.toFixed(2)})`]),
    ];
    console.log(`${nameOf(measured)}: ${misses.length === 0 ? 'all kept' : `MISSED: ${misses.join('; ')}`}`);
  }
  console.log();
}

function row(name: string, runs: Measured[], cell: (run: Measured) => string): string[] {
  return [name, ...runs.map(cell)];
}

function perThousand({ transactions }: Measured, seconds: number | null): string {
  return seconds === null ? 'unknown' : formatFigure((seconds * 1e6) / transactions);
}

/** If nothing else runs and no core waits for another. */
function allowedPerSecond({ run, transactions }: Measured): number {
  return (transactions * cpus().length) / (run.cpuSeconds + (run.postgresCpuSeconds ?? 0));
}

function formatCount(value: number): string {
  return value.toLocaleString('en');
}
