// The ledgers of the benchmark: a small one, and large ones of any size.
import type { KeptLedger } from '../support/kept-ledger.ts';
import { openLargeLedger, sizeOf } from '../support/large-ledger.ts';
import { openSmallLedger } from '../support/small-ledger.ts';
import type { LedgerName } from './beside-report.ts';

const smallTransactions = 5_000;

export type LedgerPlan = { name: LedgerName; open(folder: string): Promise<KeptLedger> };

/** @param sizes transactions of each large one */
export function planLedgers(kinds: readonly ('small' | 'large')[], sizes: readonly number[]): LedgerPlan[] {
  return kinds.flatMap((kind): LedgerPlan[] =>
    kind === 'small'
      ? [{ name: kind, open: (folder) => openSmallLedger(smallTransactions, folder) }]
      : sizes.map((transactions) => {
          const scale = transactions / 1_000_000;
          const name: LedgerName = sizes.length === 1 ? kind : `large of ${transactions.toLocaleString('en')}`;
          return { name, open: (folder) => openLargeLedger(sizeOf(scale), scale, folder) };
        }),
  );
}
