// What the check of proofs at the head of a block stream costs those who ask meanwhile: p99 of answers of a mirror that
// checks the signature of every block, against one that began after the publication of the ledger id and so checks
// none. Both follow the same live network, in turns, each alone on the machine but for the network and the sender.
//
//   node scripts/run.mjs bench/proofs-answers.ts [--rounds 5] [--seconds 30] [--interval 2000] [--per-second 400]
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pause } from '../packages/kit/pause.ts';
import { writeNetwork } from '../packages/test-support/streams/write-network.ts';
import { listPaths } from './support/list-paths.ts';
import { sendOpenLoad } from './support/open-load.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { startChild } from './support/start-child.ts';

const wantedRatio = 1.05;
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '30' },
    interval: { type: 'string', default: '2000' },
    'per-second': { type: 'string', default: '400' },
  },
});
const [rounds, seconds, perSecond] = [options.rounds, options.seconds, options['per-second']].map(Number) as [
  number,
  number,
  number,
];

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const variants = { unchecked: ['--from', '1'], checked: [] } as const;
type Variant = keyof typeof variants;
type Round = { p50: number; p99: number; senderP99: number; refused: number; verified: number };

console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
const measured: Record<Variant, Round[]> = { unchecked: [], checked: [] };
await withScratchFolder(async (folder) => {
  const stream = join(folder, 'stream');
  const writing = ['--output', stream, '--format', 'blocks', '--transactions-per-block', '20', '--log-level', 'error'];
  await writeNetwork({ folder: stream, format: 'blocks', nodes: 4, blocks: 60, transactions: 20 });
  const network = await startChild(
    [main, 'network', ...writing, '--block-interval', options.interval],
    /Ledger id (\S+)/,
  );
  try {
    for (let round = 0; round < rounds; round++) {
      const order: Variant[] = round % 2 === 0 ? ['unchecked', 'checked'] : ['checked', 'unchecked'];
      for (const name of order) measured[name].push(await measure(name, stream, join(folder, `${name} ${round}`)));
    }
  } finally {
    await network.stop();
  }
});
print();

async function measure(name: Variant, stream: string, dataFolder: string): Promise<Round> {
  const product = await startChild([
    ...[main, 'start', '--port', '0', '--source', stream, '--data-dir', dataFolder, ...variants[name]],
    ...['--answer-cache', '0', '--log-level', 'error'],
  ]);
  try {
    const url = product.url.replace(/\/$/, '');
    await catchUp(url);
    const paths = await listPaths(url);
    await sendOpenLoad({ url, paths, connections: 64, perSecond, seconds: 5 });
    const before = await countVerified(url);
    const load = await sendOpenLoad({ url, paths, connections: 64, perSecond, seconds });
    const unexpected = [...load.kinds.keys()].filter((kind) => !/^(200|503 with Retry-After)$/.test(kind));
    if (unexpected.length > 0) throw new Error(`answers ${unexpected.join(', ')}`);
    const quantile = (values: Float64Array, share: number) => values[Math.floor((values.length - 1) * share)]!;
    return {
      p50: quantile(load.acceptedMs, 0.5),
      p99: quantile(load.acceptedMs, 0.99),
      refused: load.kinds.get('503 with Retry-After') ?? 0,
      senderP99: quantile(load.senderLateMs, 0.99),
      verified: (await countVerified(url)) - before,
    };
  } finally {
    await product.stop();
  }
}

/** The newest block is not older than a few. */
async function catchUp(url: string): Promise<void> {
  for (;;) {
    const { blocks } = (await (await fetch(`${url}/api/v1/blocks?limit=1`)).json()) as {
      blocks: { timestamp: { to: string } }[];
    };
    const ageMs = Date.now() - Number(blocks[0]?.timestamp.to ?? 0) * 1_000;
    if (ageMs < 3 * Number(options.interval) + 3_000) return;
    await pause(200);
  }
}

/** Blocks whose signature was checked. */
async function countVerified(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const found = /^ledger_mirror_import_verified_blocks_total\{by="signed"\} (\d+)/m.exec(metrics);
  return Number(found?.[1] ?? 0);
}

function print(): void {
  // The simulated network publishes its ledger id again and again: a mirror that has read that checks as well.
  const wrongly = measured.unchecked.filter((round) => round.verified > 0).length;
  measured.unchecked = measured.unchecked.filter((round) => round.verified === 0);
  if (measured.unchecked.length === 0) throw new Error('No round without a check: the ledger id was published in each');
  const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!;
  const row = (text: string, figure: (round: Round) => number) => {
    const [unchecked, checked] = [measured.unchecked, measured.checked].map((all) => median(all.map(figure)));
    return [text, ...[unchecked!, checked!, checked! / unchecked!].map(formatFigure)];
  };
  console.log(
    `${rounds} rounds of ${seconds} s each, ${perSecond} requests a second, a block each ${options.interval} ms`,
  );
  printTable(
    ['median of the rounds', 'no proof is checked', 'every block is', 'ratio'],
    [
      row('p50, ms', ({ p50 }) => p50),
      row('p99, ms', ({ p99 }) => p99),
      row('p99 of how late requests were sent, ms', ({ senderP99 }) => senderP99),
    ],
  );
  const refused = (name: Variant) => measured[name].reduce((sum, round) => sum + round.refused, 0);
  console.log(
    `Refused with 503, because the machine could not keep up: ${refused('unchecked')}; ${refused('checked')}`,
  );
  const each = (name: Variant) => measured[name].map(({ p99 }) => p99.toFixed(1)).join(' ');
  console.log(`p99 of each round: ${each('unchecked')}; ${each('checked')}`);
  const verified = measured.checked.reduce((sum, round) => sum + round.verified, 0);
  console.log(
    `Signatures checked meanwhile: ${verified}; left out: ${wrongly} rounds in which the other mirror read a ledger id`,
  );
  const ratio = median(measured.checked.map(({ p99 }) => p99)) / median(measured.unchecked.map(({ p99 }) => p99));
  const isKept = ratio <= wantedRatio && verified > 0;
  console.log(`p99: × ${ratio.toFixed(2)} (at most ${wantedRatio}): ${isKept ? 'kept' : 'MISSED'}`);
  process.exitCode = isKept ? 0 : 1;
}
