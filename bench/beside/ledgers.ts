// The two ledgers of the benchmark.
import type { KeptLedger } from '../support/kept-ledger.ts';
import { openLargeLedger, sizeOf } from '../support/large-ledger.ts';
import { openSmallLedger } from '../support/small-ledger.ts';
import type { LedgerName } from './beside-report.ts';

const smallTransactions = 5_000;

/** @param transactions of the large one */
export function openLedger(name: LedgerName, transactions: number, folder: string): Promise<KeptLedger> {
  if (name === 'small') return openSmallLedger(smallTransactions, folder);
  const scale = transactions / 1_000_000;
  return openLargeLedger(sizeOf(scale), scale, folder);
}
