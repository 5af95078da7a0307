// `/{network}/transactions`: the newest transactions, or those that the query chooses.
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { listTransactions } from '../../resources/transactions/list-transactions.ts';
import { listPage } from '../lists/list-page.ts';
import { type FilterField, timeFields } from '../parts/filters.ts';
import { newBlocks } from '../parts/live-feed.ts';
import { typeWords } from '../parts/transaction-words.ts';
import { toListedTransactions } from './listed-transaction.ts';
import { transactionColumns } from './transaction-columns.ts';

const types = transactionTypes
  .map(({ number, name }) => [name, typeWords(number)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, 'en'));

const typeField: FilterField = {
  ...{ name: 'transactiontype', label: 'Type', choices: [['', 'Every type'], ...types] },
};

const resultField: FilterField = {
  name: 'result',
  label: 'Result',
  choices: [
    ['', 'Every result'],
    ['success', 'Succeeded'],
    ['fail', 'Failed'],
  ],
};

export const transactionsPage = listPage({
  path: '/transactions',
  title: () => 'Transactions',
  endpoint: listTransactions,
  items: ({ items }, context) => toListedTransactions(context, items),
  columns: ({ links }) => transactionColumns(links),
  none: 'No transaction fits.',
  filters: [typeField, resultField, { name: 'account.id', label: 'Account', placeholder: '0.0.1234' }, ...timeFields],
  live: () => ({ url: newBlocks, name: 'transactions', count: 'count' }),
});
