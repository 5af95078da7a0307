// A simulated ledger is imported, and then blocks of it are imported again: every table has to be as before, row for row.
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { reimportBlocks } from '../../src/importer/reimport-blocks.ts';
import { openDatabase } from '../../src/store/wire/database.ts';
import { createBlockWriter } from '../../src/store/write/block-writer.ts';
import { dumpTables, type TablesDump } from '../support/tables/dump-tables.ts';

const cutoverAt = 10n;

export const formats: Readonly<Record<string, Pick<NetworkOptions, 'format' | 'stateForm' | 'cutoverAt'>>> = {
  records: {},
  wrapped: { format: 'wrapped' },
  blocks: { format: 'blocks', stateForm: 'whole' },
  saving: { format: 'blocks', stateForm: 'saving' },
  always: { format: 'blocks', stateForm: 'always' },
  cutover: { cutoverAt },
  'wrapped-cutover': { format: 'wrapped', cutoverAt },
};
void 0 as unknown as SimulatedStream | TablesDump;
export async function run(seed: number, format: string, blocks: number, transactions: number) {
  const blockTime = 3_600_000_000_000n;
  const stream = await writeSimulatedStream({ seed: `again ${seed}`, blocks, transactionsPerBlock: transactions, blockTime,
    start: 1_750_000_000_000_000_000n + BigInt(seed) * 86_400_000_000_000n, network: formats[format]! as never });
  const scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  try {
    await stream.importInto(connectionString);
    const before = await dumpTables(connectionString, {});
    for (const first of [0n, BigInt(Math.floor(Math.random() * blocks))]) {
      const db = openDatabase({ connectionString });
      const writer = await createBlockWriter({ connectionString });
      try {
        await reimportBlocks({ source: stream.source(), db, writer, first, commitTransactions: 60, signal: new AbortController().signal, onProblem: (p) => console.log(p) });
      } catch (e) { console.log(String(e)); }
      finally { await writer.close(); await db.close(); }
      const after = await dumpTables(connectionString, {});
      for (const table of Object.keys(before)) {
        const l = new Set(before[table]), r = new Set(after[table]);
        const lost = before[table]!.filter((x) => !r.has(x)), other = after[table]!.filter((x) => !l.has(x));
        if (lost.length + other.length || before[table]!.length !== after[table]!.length) console.log(seed, format, `from ${first}`, table, lost.length, other.length, before[table]!.length, after[table]!.length, '\n -', lost[0]?.slice(0, 1500), '\n +', other[0]?.slice(0, 1500));
      }
    }
  } finally {
    await scratch.close();
    stream.close();
  }
}
const [s0, n, blocks, tx] = process.argv.slice(2).map(Number);
for (let s = s0!; s < s0! + n!; s++) for (const f of Object.keys(formats)) { await run(s, f, blocks!, tx!); console.log('done', s, f); }
process.exit(0);
