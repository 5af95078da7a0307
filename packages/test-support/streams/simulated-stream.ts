// Stream files of a simulated network, its state, and their import into a database. The same seed makes the same
// ledger, with `start` at the same times.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImportStreamOptions, type ImportSummary, importStream } from '../../../src/importer/import-stream.ts';
import { createBlockWriter } from '../../../src/store/write/block-writer.ts';
import { type NamedQuery, openDatabase } from '../../postgres/wire/database.ts';
import type { LedgerTables } from '../../simulated-network/ledger/ledger.ts';
import { createNetwork, type NetworkOptions } from '../../simulated-network/network.ts';
import type { WriteBlockOptions } from '../../simulated-network/write-block.ts';
import { createFolderSource } from '../../sources/folder-source.ts';
import type { StreamSource } from '../../sources/stream-source.ts';
import { recordQueries } from '../postgres/record-queries.ts';

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
  network?: Pick<NetworkOptions, 'format' | 'stateForm' | 'cutoverAt' | 'maxGasBack'>;
};

type ImportOptions = Partial<
  Pick<ImportStreamOptions, 'commitTransactions' | 'onProgress' | 'start' | 'until' | 'filter'>
> & {
  /** Called with each query of the import. */
  onQuery?: (query: NamedQuery) => void;
};

export type SimulatedStream = {
  /** The state of the network at the end. */
  truth: LedgerTables;
  /** Of its files. */
  source(): StreamSource;
  importInto(connectionString: string, options?: ImportOptions): Promise<ImportSummary>;
  /** Removes the files. */
  close(): void;
};

export async function writeSimulatedStream(options: SimulatedStreamOptions): Promise<SimulatedStream> {
  const { seed, blocks, transactionsPerBlock, start = defaultStart, blockTime = 20_000_000_000n } = options;
  const folder = mkdtempSync(join(tmpdir(), 'simulated-stream-'));
  const network = await createNetwork({ folder, seed, nodes: 3, ...options.network });
  for (let block = 0; block < blocks; block++) {
    const written = await network.writeBlock({
      consensusStart: start + BigInt(block) * blockTime,
      transactions: typeof transactionsPerBlock === 'number' ? transactionsPerBlock : transactionsPerBlock(block),
      mix: options.mix,
    });
    options.onBlock?.(written.consensusEnd, network.state().tables);
  }
  const truth = structuredClone(network.state().tables);
  await network.close();
  return {
    truth,
    source: () => createFolderSource({ path: folder }),
    async importInto(connectionString, { onQuery = () => {}, ...options } = {}) {
      const db = recordQueries(openDatabase({ connectionString }), onQuery);
      const writer = await createBlockWriter({ connectionString });
      try {
        const source = createFolderSource({ path: folder });
        const addressBook = readFileSync(network.addressBookPath);
        const summary = await importStream({ source, db, writer, addressBook, live: false, ...options });
        if (summary.problems > 0) throw new Error(`The importer reported ${summary.problems} problems`);
        return summary;
      } finally {
        await writer.close();
        await db.close();
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const defaultStart = 1_790_000_000_000_000_000n;
