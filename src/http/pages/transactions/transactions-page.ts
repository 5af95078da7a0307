// `/{network}/transactions`: the newest transactions, or those that the query chooses.
import { listTransactions } from '../../resources/transactions/list-transactions.ts';
import { itemsOfPage, listPage } from '../list-page.ts';
import { transactionColumns } from './transaction-columns.ts';

export const transactionsPage = listPage({
  path: '/transactions',
  title: () => 'Transactions',
  endpoint: listTransactions,
  items: itemsOfPage,
  columns: ({ links }) => transactionColumns(links),
  none: 'No transaction fits.',
});
