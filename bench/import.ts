// Import benchmark: files of a simulated network, imported by the program in a process of its own, with its built-in
// PostgreSQL. On a shared machine only the ratios to the bare parts of the same run hold.
//
//   node scripts/run.mjs bench/import.ts [--format records|wrapped|blocks] [--blocks 20 --transactions 5000] [--fresh]
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { StreamFormat } from '../src/network/stream-folder.ts';
import { copyAlone, decodeAlone } from './support/bare-parts.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { runProgram } from './support/run-program.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { type StreamShape, simulatedStream } from './support/simulated-stream.ts';

const wantedPerSecond = 10_000;
const mostMb = 400;

const { values: options } = parseArgs({
  options: {
    format: { type: 'string' },
    blocks: { type: 'string' },
    transactions: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
});

const streamFormats: readonly StreamFormat[] = ['records', 'wrapped', 'blocks'];
const formats = streamFormats.filter((format) => format === (options.format ?? format));
if (formats.length === 0) throw new Error(`--format is one of ${streamFormats.join(', ')}`);
const sizes = options.blocks
  ? [{ blocks: Number(options.blocks), transactionsPerBlock: Number(options.transactions ?? 5000) }]
  : [
      { blocks: 20, transactionsPerBlock: 5000 },
      { blocks: 200, transactionsPerBlock: 100 },
      { blocks: 1000, transactionsPerBlock: 5 },
    ];
const shapes: StreamShape[] = formats.flatMap((format) => sizes.map((size) => ({ format, ...size })));
console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
for (const shape of shapes) await withScratchFolder((dataFolder) => measure(shape, dataFolder));

async function measure(shape: StreamShape, dataFolder: string): Promise<void> {
  const stream = await simulatedStream(shape, options.fresh);
  const decode = decodeAlone(stream);
  const target = ['--data-dir', dataFolder, '--log-level', 'warn'];
  await runProgram(['migrate', ...target], dataFolder);
  const source = ['--source', stream, '--address-book', join(stream, 'addressbook.bin')];
  const run = await runProgram(['import', '--once', ...source, ...target], dataFolder);
  const found = run.output.match(/Imported ([\d,]+) blocks? with ([\d,]+) transactions?/) ?? [];
  const [blocks, transactions] = found.slice(1).map((text) => Number(text.replaceAll(',', '')));
  if (blocks === undefined || transactions !== decode.count) {
    throw new Error(`The files hold ${decode.count} transactions, the import says:\n${run.output}`);
  }
  const copy = await copyAlone(dataFolder);
  const perSecond = decode.count / run.seconds;
  const perThousand = (seconds: number | null): string =>
    seconds === null ? 'unknown' : formatFigure((seconds * 1e6) / decode.count);
  console.log(
    `${shape.format}: ${blocks} blocks, ${transactions} transactions (${shape.transactionsPerBlock} a block), ${copy.count} rows`,
  );
  printTable(
    ['', 'transactions/s', 'CPU ms per 1,000', 'part of the import'],
    [
      ['import, from start to end of the process', formatFigure(perSecond), perThousand(run.cpuSeconds), '1.00'],
      ['  its PostgreSQL', '', perThousand(run.postgresCpuSeconds), ''],
      ['bare decode', formatFigure(decode.count / decode.seconds), '', formatFigure(decode.seconds / run.seconds)],
      ['bare COPY', formatFigure(decode.count / copy.seconds), '', formatFigure(copy.seconds / run.seconds)],
    ],
  );
  const shares = run.output.match(/verify \d+ %, rows \d+ %, database \d+ %/g)?.at(-1) ?? 'unknown';
  console.log(`blocks/s ${formatFigure(blocks / run.seconds)}; its time: ${shares}`);
  console.log(`peak memory ${formatFigure(run.peakMb)} MB (at most ${mostMb}): ${verdict(run.peakMb < mostMb)}`);
  console.log(`${formatFigure(wantedPerSecond)} transactions/s: ${verdict(perSecond >= wantedPerSecond)}`);
  if (run.postgresCpuSeconds !== null) {
    const undisturbed = (decode.count * cpus().length) / (run.cpuSeconds + run.postgresCpuSeconds);
    console.log(`the CPU time it took would allow ${formatFigure(undisturbed)} where nothing else runs`);
  }
  console.log();
}

function verdict(kept: boolean): string {
  return kept ? 'kept' : 'MISSED';
}
