// `node scripts/run.mjs test/importer/run-reimports.ts --seeds 30`: ledgers of so many seeds in every format, each
// imported, and then imported again from the first block, from the middle, in part, and ended and resumed; prints every
// table that is not as before, row for row. Exit code 0 only when there was none.
import { parseArgs } from 'node:util';
import { checkReimports, type FormatName, formatNames, writeLedger } from './reimport-ledger.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '30' },
    first: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '40' },
    transactions: { type: 'string', default: '30' },
    formats: { type: 'string', default: formatNames.join() },
  },
});
const [seeds, first, blocks, transactions] = [values.seeds, values.first, values.blocks, values.transactions].map(
  Number,
) as [number, number, number, number];
const size = { blocks, transactionsPerBlock: transactions };

let failures = 0;
for (let seed = first; seed < first + seeds; seed += 1) {
  for (const format of values.formats.split(',') as FormatName[]) {
    const stream = await writeLedger(seed, format, size);
    try {
      const wrong = await checkReimports(stream, seed, size);
      failures += wrong.length;
      console.log(`seed ${seed}, ${format}: ${wrong.length === 0 ? 'the same tables' : `\n  ${wrong.join('\n  ')}`}`);
    } finally {
      stream.close();
    }
  }
}
console.log(`${seeds} seeds: ${failures} differences`);
process.exitCode = failures > 0 ? 1 : 0;
