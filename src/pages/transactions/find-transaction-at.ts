// The transaction of a consensus time, which names one.
import { anyRange } from '../../../packages/kit/range.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';

const anyTransaction = {
  accounts: anyRange,
  types: null,
  isSuccess: null,
  moved: null,
  order: 'asc',
  limit: 1,
} as const;

/** `timestamp` in ns; null = none. */
export async function findTransactionAt(
  timestamp: bigint,
  { transactions }: Ledger,
): Promise<LedgerTransaction | null> {
  const { items } = await transactions.list({ ...anyTransaction, timestamp: { ...anyRange, equals: [timestamp] } });
  return items[0] ?? null;
}
