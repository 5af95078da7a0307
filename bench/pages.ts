// Benchmark of the pages: CPU of server and PostgreSQL for a page against the JSON of the same questions, in turns,
// with the answer cache off, and p99 of the API while clients read all pages. Only ratios and CPU times hold on a
// shared machine.
//
//   node scripts/run.mjs bench/pages.ts [--rounds 5] [--requests 100] [--only tokens] [--beside] [--seconds 2] [--quick]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryFlags } from '../packages/kit/process/memory-flags.ts';
import { compareCost } from './pages/compare-cost.ts';
import { compareTail } from './pages/compare-tail.ts';
import { drawPageQuestions } from './pages/page-questions.ts';
import { closeAtEnd } from './support/close-at-end.ts';
import { ledgersFolder } from './support/kept-ledger.ts';
import { openSmallLedger } from './support/small-ledger.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '100' },
    'warm-up': { type: 'string', default: '300' },
    seconds: { type: 'string', default: '2' },
    transactions: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
    /** For the server, `--cpu-prof` say. */
    node: { type: 'string', multiple: true, default: [] },
    beside: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const rounds = options.quick ? 1 : Number(options.rounds);
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

await closeAtEnd(async (later) => {
  const ledger = await openSmallLedger(Number(options.transactions), ledgersFolder);
  later(() => ledger.stop());
  // Beside readers, the server as it is usually: requests take turns. Else every request costs the same.
  const waitFlags = options.beside ? [] : ['--answer-cache', '0', '--max-wait', '0'];
  const server = await startChild([
    ...[...options.node, ...memoryFlags('serve'), main, 'serve', '--port', '0', '--log-level', 'warn'],
    ...['--data-dir', ledger.dataFolder, '--database-url', ledger.connectionString, '--status-service', 'off'],
    ...waitFlags,
  ]);
  later(() => server.stop());
  const all = await drawPageQuestions(server.url);
  const questions = all.filter(({ name }) => new RegExp(options.only).test(name));
  const { url } = server;
  const { dataFolder } = ledger;
  const [requests, warmUp] = options.quick ? [5, 5] : [Number(options.requests), Number(options['warm-up'])];
  const isKept = options.beside
    ? await compareTail(questions, { url, rounds, seconds: Number(options.seconds) })
    : await compareCost(questions, { url, dataFolder, rounds, requests, warmUp });
  process.exitCode = isKept ? 0 : 1;
});
