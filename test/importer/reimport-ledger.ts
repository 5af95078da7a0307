// A simulated ledger is imported, and blocks of it are imported again in every way: every table has to be as before,
// row for row, every column, load times too.

import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { upsertImportRevision } from '../../packages/store/write/upsert-import-revision.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import type { ItemProblem } from '../../src/importer/block/item-problems.ts';
import type { StreamFilter } from '../../src/importer/extent/stream-filter.ts';
import { type ReimportOptions, type ReimportSummary, reimportBlocks } from '../../src/importer/reimport-blocks.ts';
import { dumpTables, type TablesDump } from '../support/tables/dump-tables.ts';

const cutoverAt = 10n;

/** Every kind of source, and a block stream with values of the state in every form. */
const formats = {
  records: {},
  wrapped: { format: 'wrapped' },
  blocks: { format: 'blocks', stateForm: 'whole' },
  saving: { format: 'blocks', stateForm: 'saving' },
  always: { format: 'blocks', stateForm: 'always' },
  cutover: { cutoverAt, stateForm: 'saving' },
  'wrapped-cutover': { format: 'wrapped', cutoverAt, stateForm: 'always' },
} as const satisfies Record<string, Pick<NetworkOptions, 'format' | 'stateForm' | 'cutoverAt'>>;

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as FormatName[];

export type LedgerSize = { blocks: number; transactionsPerBlock: number };

/** Seconds; with the longer ones there are balance snapshots, and staking periods that end. */
const blockTimes = [20n, 600n, 3_600n];

export async function writeLedger(seed: number, format: FormatName, size: LedgerSize): Promise<SimulatedStream> {
  return writeSimulatedStream({
    seed: `again ${seed}`,
    ...size,
    blockTime: blockTimes[seed % blockTimes.length]! * 1_000_000_000n,
    start: 1_750_000_000_000_000_000n + BigInt(seed) * 86_400_000_000_000n,
    network: formats[format],
  });
}

/** Tables that differ, by what was done; problems that the reimport reports, which the import did not. */
export async function checkReimports(stream: SimulatedStream, seed: number, { blocks }: LedgerSize): Promise<string[]> {
  const random = createSeededRandom(`reimports of ${seed}`, 'ways');
  const scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  const wrong: string[] = [];
  try {
    await noteRevision(connectionString);
    await stream.importInto(connectionString, { commitTransactions: seed % 2 === 0 ? 0 : 5_000 });
    const expected = await dumpTables(connectionString, {});
    const check = async (way: string, reimport: () => Promise<unknown>): Promise<void> => {
      await reimport().catch((error: Error) => wrong.push(`${way}: ${error.message}`));
      const differing = describeDifferences(expected, await dumpTables(connectionString, {}));
      wrong.push(...differing.map((difference) => `${way}: ${difference}`));
    };
    const again = (first: number, options: Partial<ReimportOptions> = {}): Promise<ReimportSummary> =>
      reimport(connectionString, stream.source(), BigInt(first), {
        commitTransactions: random.integer(0, 100),
        onProblem: ({ problem }) => wrong.push(`from ${first}: reported ${problem}`),
        ...options,
      });

    await check('from 0, with rows that an earlier version lacks', async () => {
      await spoilRows(connectionString);
      await again(0);
    });
    const middle = random.integer(1, blocks - 1);
    await check(`from ${middle}`, () => again(middle));
    const [from, to] = [random.integer(0, blocks - 1), random.integer(0, blocks - 1)].sort((a, b) => a - b);
    await check(`from ${from} until ${to}`, () => again(from!, { until: { kind: 'block', number: BigInt(to!) } }));
    const begun = random.integer(0, blocks - 2);
    const units = random.integer(1, blocks - 1 - begun);
    await check(`from ${begun}, ended after ${units} blocks, then resumed`, async () => {
      let done = BigInt(begun) - 1n;
      const source = failingAfter(stream.source(), units);
      const onProgress: ReimportOptions['onProgress'] = ({ block }) => {
        done = block;
      };
      const ended = await reimport(connectionString, source, BigInt(begun), {
        commitTransactions: 50,
        onProgress,
      }).then(
        () => 'nothing',
        ({ message }: Error) => message,
      );
      if (ended !== endOfSource) wrong.push(`ended by ${ended}`);
      await again(Number(done) + 1);
    });
    return wrong;
  } finally {
    await scratch.close();
  }
}

export async function noteRevision(connectionString: string): Promise<void> {
  const db = openDatabase({ connectionString, maxConnections: 1 });
  await upsertImportRevision(db);
  await db.close();
}

export type Again = Partial<ReimportOptions> & { filter?: StreamFilter; onProblem?(problem: ItemProblem): void };

export async function reimport(
  connectionString: string,
  source: StreamSource,
  first: bigint,
  options: Again = {},
): Promise<ReimportSummary> {
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  try {
    const { signal } = new AbortController();
    return await reimportBlocks({ source, db, writer, first, commitTransactions: 60, signal, ...options });
  } finally {
    await writer.close();
    await db.close();
  }
}

/** Each with one row of either side. */
export function describeDifferences(expected: TablesDump, actual: TablesDump): string[] {
  return Object.keys({ ...expected, ...actual }).flatMap((table) => {
    const [left, right] = [expected[table] ?? [], actual[table] ?? []];
    if (left.join('\n') === right.join('\n')) return [];
    const [known, found] = [new Set(left), new Set(right)];
    const lost = left.filter((row) => !found.has(row));
    const other = right.filter((row) => !known.has(row));
    return [
      `${table}: ${left.length} rows, then ${right.length}; ${lost.length} lost, as ${lost[0]}; ${other.length} other, as ${other[0]}`,
    ];
  });
}

/** Of single moments, and read from no later block. */
const spoiled = ['contract_log', 'crypto_transfer', 'topic_message', 'transaction_hash', 'contract_action', 'prng'];

/** As an earlier version might have left them. */
async function spoilRows(connectionString: string): Promise<void> {
  await withClient(connectionString, 'test', async (client) => {
    for (const table of spoiled) await client.query(`delete from ${table} where consensus_timestamp % 3 = 0`);
    await client.query(`update transaction set memo = '\\x2a', nft_transfer = null, entity_id = null`);
    await client.query('update record_file set logs_bloom = null, gas_used = 1');
  });
}

const endOfSource = 'The source is gone';

function failingAfter(source: StreamSource, units: number): StreamSource {
  return {
    ...source,
    async *units(options) {
      let given = 0;
      for await (const unit of source.units(options)) {
        if (given === units) throw new Error(endOfSource);
        given += 1;
        yield unit;
      }
    },
  };
}
