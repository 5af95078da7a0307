// A page of an account's transactions, as the API finds it.
import type { Page as LedgerPage } from '../../ledger/question/page.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { listTransactions } from '../../resources/transactions/list-transactions.ts';
import type { PageContext } from '../page/page-context.ts';

export async function findTransactions(context: PageContext, apiQuery: string): Promise<LedgerPage<LedgerTransaction>> {
  const { found } = await context.ask(listTransactions, { queryText: apiQuery });
  // The endpoint is known by what its answer writes, and finds whole transactions.
  return found as LedgerPage<LedgerTransaction>;
}
