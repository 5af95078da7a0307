// A simulated ledger that is imported step by step into several databases, as of each step the same.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import type { SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { createNetwork } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { importStream } from '../../src/importer/import-stream.ts';

export type SteppedLedger = {
  /** Number of its last block. */
  writeBlock(): Promise<bigint>;
  openImport(connectionString: string): Promise<SteppedImport>;
  close(): Promise<void>;
};

type SteppedImport = {
  /** Imports up to this block, one commit a block. */
  importUntil(block: bigint): Promise<void>;
  close(): Promise<void>;
};

export async function openSteppedLedger({
  seed,
  random,
}: {
  seed: string;
  random: SeededRandom;
}): Promise<SteppedLedger> {
  const folder = mkdtempSync(join(tmpdir(), 'stepped-ledger-'));
  const network = await createNetwork({ folder, seed, nodes: 3 });
  let next = BigInt(Date.now() - 86_400_000) * 1_000_000n;
  return {
    async writeBlock() {
      const { number, consensusEnd } = await network.writeBlock({
        consensusStart: next,
        transactions: random.integer(1, 15),
      });
      next = consensusEnd + 2_000_000_000n;
      return number;
    },
    async openImport(connectionString) {
      const db = openDatabase({ connectionString });
      const writer = await createBlockWriter({ connectionString });
      return {
        async importUntil(number) {
          const source = createFolderSource({ path: folder });
          const addressBook = readFileSync(network.addressBookPath);
          const until = { kind: 'block', number } as const;
          const options = { source, db, writer, addressBook, live: false, commitTransactions: 0 };
          const { problems } = await importStream({ ...options, until });
          if (problems > 0) throw new Error(`The importer reported ${problems} problems`);
        },
        async close() {
          await writer.close();
          await db.close();
        },
      };
    },
    async close() {
      await network.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
