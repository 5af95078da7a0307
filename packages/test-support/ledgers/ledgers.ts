// The ledgers that tests share. Each is written and imported once in a test run; whoever opens one has a database of
// its own, which it may change. A test that needs what none of these has writes its own (streams/simulated-stream.ts),
// as small as it can be.
import type { ScratchDatabase } from '../postgres/scratch-database.ts';
import type { SimulatedStream, SimulatedStreamOptions } from '../streams/simulated-stream.ts';
import { openImported } from './open-imported.ts';

const hourNs = 3_600_000_000_000n;

export const ledgers = {
  /** Something of most kinds. */
  small: { seed: 'small', blocks: 12, transactionsPerBlock: 20 },
  /** Lists of several pages, every kind of transaction that the mix has. */
  busy: { seed: 'paging lists', blocks: 40, transactionsPerBlock: 20 },
  /** Two blocks a day over two months' border: partitions, snapshots of balances, rewards. */
  months: { seed: 'export', blocks: 60, transactionsPerBlock: 40, blockTime: 12n * hourNs },
  /** Contracts above all, and gas that comes back as it does on Ethereum. */
  contracts: {
    seed: 'opcodes',
    blocks: 20,
    transactionsPerBlock: 50,
    mix: 'contracts',
    network: { maxGasBack: 100 },
  },
} as const satisfies Record<string, SimulatedStreamOptions>;

export type LedgerName = keyof typeof ledgers;

export type OpenedLedger = ScratchDatabase & { stream: SimulatedStream };

export async function openLedger(name: LedgerName): Promise<OpenedLedger> {
  const { stream, openDatabase } = await openImported(ledgers[name]);
  return { stream, ...(await openDatabase()) };
}
