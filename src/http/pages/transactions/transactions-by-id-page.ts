// `/{network}/transactionsById/{id}`: the transactions that share an id: what was signed, what followed from it, and what it
// scheduled.
import { getTransaction } from '../../resources/transactions/get-transaction.ts';
import { listPage } from '../list-page.ts';
import { code } from '../parts/bytes.ts';
import { heading } from '../parts/section.ts';
import { transactionColumns } from './transaction-columns.ts';

export const transactionsByIdPage = listPage({
  path: '/transactionsById/:transactionId',
  title: ({ params }) => `Transactions of the id ${params.transactionId}`,
  heading: ({ params }) => heading('Transactions of the id', code(params.transactionId!)),
  endpoint: getTransaction,
  params: ({ params }) => ({ transactionIdOrHash: params.transactionId! }),
  items: ({ transactions }) => transactions,
  columns: ({ links }) => transactionColumns(links),
  none: 'No transaction has this id.',
});
