// The questions about transactions of the whole ledger.
import { selectFirstTransactionTimestamp } from '../../store/read/select-ledger-state.ts';
import type { Database } from '../../store/wire/database.ts';

export type Transactions = {
  /** Consensus timestamp of the oldest transaction kept here (remembered once known); null = none yet. */
  firstTimestamp(): Promise<bigint | null>;
};

export function createTransactions({ db }: { db: Database }): Transactions {
  let first: bigint | null = null;
  return {
    async firstTimestamp() {
      first ??= await selectFirstTransactionTimestamp(db);
      return first;
    },
  };
}
