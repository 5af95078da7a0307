// A ledger of a few thousand transactions of every kind: what a simulated network wrote, imported as any network is.
import { join } from 'node:path';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { type KeptLedger, openKeptLedger } from './kept-ledger.ts';

const transactionsPerBlock = 12;

/** Over more than a day, so that stakes are rewarded. */
const shape = { seed: 'small ledger', transactionsPerBlock, blockTime: 300_000_000_000n };

export function openSmallLedger(transactions: number, folder: string): Promise<KeptLedger> {
  const blocks = Math.ceil(transactions / transactionsPerBlock);
  return openKeptLedger({
    dataFolder: join(folder, `network-${blocks}`),
    madeOf: `${Object.values(shape).join()} ${blocks}`,
    async fill(connectionString) {
      const stream = await writeSimulatedStream({ ...shape, blocks });
      try {
        await stream.importInto(connectionString);
      } finally {
        stream.close();
      }
    },
  });
}
