// The transaction that created something, which its time names.
import { anyRange } from '../../../packages/kit/range.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import type { PageContext } from '../page/page-context.ts';

/** null = none is stored. */
export async function findCreation(
  at: bigint | null,
  { ledger }: Pick<PageContext, 'ledger'>,
): Promise<LedgerTransaction | null> {
  if (at === null) return null;
  const { items } = await ledger.transactions.list({
    ...{ accounts: anyRange, timestamp: { ...anyRange, equals: [at] }, types: null, isSuccess: null, moved: null },
    ...{ order: 'asc', limit: 1 },
  });
  return items[0] ?? null;
}
