// A simulated network that writes blocks with contract calls, and an import that follows it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetwork } from '../../packages/simulated-network/network.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { runMirror } from '../support/program/run-mirror.ts';

export type GrowingChain = {
  connectionString: string;
  /** Writes a block; resolves with its number. */
  grow(): Promise<number>;
  close(): Promise<void>;
};

/** @param transactions in each block. */
export async function openGrowingChain(transactions: number): Promise<GrowingChain> {
  const folder = mkdtempSync(join(tmpdir(), 'growing-chain-'));
  const network = await createNetwork({ folder, seed: 'subscriptions', nodes: 1 });
  const database = await createScratchDatabase();
  let next = 1_700_000_000_000_000_000n;
  const grow = async (): Promise<number> => {
    const { number, consensusEnd } = await network.writeBlock({ consensusStart: next, transactions, mix: 'contracts' });
    next = consensusEnd + 2_000_000_000n;
    return Number(number);
  };
  // The first blocks make accounts and contracts.
  for (let count = 0; count < 4; count++) await grow();
  const importer = runMirror(['import', '--source', folder, '--address-book', network.addressBookPath], {
    env: { DATABASE_URL: database.connectionString },
  });
  return {
    ...{ connectionString: database.connectionString, grow },
    async close() {
      importer.child.kill('SIGTERM');
      await importer.ended;
      await network.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
