// Stream files of a simulated network, its state, and their import into a database. The same seed makes the same
// ledger, with `start` at the same times.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type ImportStreamOptions, type ImportSummary, importStream } from '../../../src/importer/import-stream.ts';
import { type NamedQuery, openDatabase } from '../../postgres/wire/database.ts';
import type { LedgerTables } from '../../simulated-network/ledger/ledger.ts';
import type { NetworkOptions } from '../../simulated-network/network.ts';
import type { WriteBlockOptions } from '../../simulated-network/write-block.ts';
import { createFolderSource } from '../../sources/folder-source.ts';
import type { StreamSource } from '../../sources/stream-source.ts';
import { createBlockWriter } from '../../store/write/block-writer.ts';
import { recordQueries } from '../postgres/record-queries.ts';
import { makeOnce } from '../run/make-once.ts';
import { openNetwork } from './open-network.ts';

export type SimulatedStreamOptions = {
  seed: string;
  blocks: number;
  transactionsPerBlock: number | ((block: number) => number);
  /** ns; time of the first block. */
  start?: bigint;
  /** ns between blocks. */
  blockTime?: bigint;
  /**
   * Called after each block with the ledger, which must not be changed. `end` is the block's last consensus timestamp.
   */
  onBlock?: (end: bigint, tables: LedgerTables) => void;
  mix?: WriteBlockOptions['mix'];
  /** How the network writes, and by which rules. */
  network?: Pick<NetworkOptions, 'format' | 'stateForm' | 'cutoverAt' | 'maxGasBack' | 'keepsOpening'>;
};

type ImportOptions = Partial<
  Pick<ImportStreamOptions, 'commitTransactions' | 'onProgress' | 'start' | 'until' | 'filter'>
> & {
  /** Called with each query of the import. */
  onQuery?: (query: NamedQuery) => void;
};

export type SimulatedStream = {
  /** Others may read its files too: they must stay as they are. */
  folder: string;
  /** The state of the network at the end. */
  truth: LedgerTables;
  /** Of its files. */
  source(): StreamSource;
  importInto(connectionString: string, options?: ImportOptions): Promise<ImportSummary>;
  /** Removes the files, where no other may have them. */
  close(): void;
};

/** Equal options are written once in a test run; with functions among them, each time. */
export async function writeSimulatedStream(options: SimulatedStreamOptions): Promise<SimulatedStream> {
  const hash = hashOptions(options);
  if (hash === null) {
    const folder = mkdtempSync(join(tmpdir(), 'simulated-stream-'));
    const truth = await write(folder, options);
    return openStream(folder, truth, () => rmSync(folder, { recursive: true, force: true }));
  }
  const folder = await makeOnce(`stream-${hash}`, async (place) => {
    writeFileSync(join(place, truthName), serialize(await write(place, options)));
  });
  return openStream(folder, deserialize(readFileSync(join(folder, truthName))) as LedgerTables, () => {});
}

const truthName = 'truth.v8';

/** Hexadecimal; null where options are functions. */
export function hashOptions(options: SimulatedStreamOptions): string | null {
  if (options.onBlock || typeof options.transactionsPerBlock === 'function') return null;
  const text = JSON.stringify(options, (_name, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** The state at the end. */
async function write(folder: string, options: SimulatedStreamOptions): Promise<LedgerTables> {
  const { seed, blocks, transactionsPerBlock, start = defaultStart, blockTime = 20_000_000_000n } = options;
  const network = await openNetwork({ folder, seed, nodes: 3, ...options.network });
  for (let block = 0; block < blocks; block++) {
    const written = await network.writeBlock({
      consensusStart: start + BigInt(block) * blockTime,
      transactions: typeof transactionsPerBlock === 'number' ? transactionsPerBlock : transactionsPerBlock(block),
      mix: options.mix,
      isProvedLater: block + 1 < blocks && block % signEvery !== 0,
    });
    options.onBlock?.(written.consensusEnd, network.state().tables);
  }
  const truth = structuredClone(network.state().tables);
  await network.close();
  return truth;
}

function openStream(folder: string, truth: LedgerTables, close: () => void): SimulatedStream {
  return {
    folder,
    truth,
    source: () => createFolderSource({ path: folder }),
    async importInto(connectionString, { onQuery = () => {}, ...options } = {}) {
      const db = recordQueries(openDatabase({ connectionString }), onQuery);
      const writer = await createBlockWriter({ connectionString });
      try {
        const source = createFolderSource({ path: folder });
        const addressBook = readFileSync(join(folder, 'addressbook.bin'));
        const summary = await importStream({ source, db, writer, addressBook, live: false, ...options });
        if (summary.problems > 0) throw new Error(`The importer reported ${summary.problems} problems`);
        return summary;
      } finally {
        await writer.close();
        await db.close();
      }
    },
    close,
  };
}

/** Blocks of a block stream that one signature proves: to verify it takes 0.1 s. */
const signEvery = 8;
const defaultStart = 1_790_000_000_000_000_000n;
