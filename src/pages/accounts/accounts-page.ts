// `/{network}/accounts`: accounts with their balances, the newest first, and `/{network}/accountsWithKey/{key}`: those
// of a key.

import { html } from '../../../packages/kit/markup.ts';
import { listAccounts } from '../../resources/accounts/list-accounts.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import type { Links } from '../page/links.ts';
import { formatPlainFraction, hbar } from '../parts/amounts.ts';
import { badge } from '../parts/badge.ts';
import { code } from '../parts/bytes.ts';
import { foreignField, idField, timeField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { heading } from '../parts/section.ts';
import type { Column } from '../parts/table.ts';
import { formatDay } from '../parts/times.ts';

type ListedAccount = ItemOf<typeof listAccounts>;

function accountColumns(links: Links): readonly Column<ListedAccount>[] {
  return [
    {
      name: 'Id',
      show: ({ id, deleted }) => html`${links.account(id)}${deleted ? html` ${badge('bad', 'Deleted')}` : null}`,
      fields: [idField('account_id', ({ id }) => id)],
    },
    {
      name: 'Balance',
      isNumber: true,
      show: ({ balance }) => (balance?.balance == null ? null : hbar(balance.balance)),
      fields: [
        {
          name: 'balance_hbar',
          text: ({ balance }) => (balance?.balance == null ? '' : formatPlainFraction(balance.balance, 8)),
        },
      ],
    },
    {
      name: 'Tokens',
      isNumber: true,
      show: ({ balance }) => balance?.tokens.length ?? null,
    },
    {
      name: 'Created',
      show: ({ createdTimestamp }) => (createdTimestamp === null ? null : formatDay(createdTimestamp)),
      fields: [timeField('created_timestamp', ({ createdTimestamp }) => createdTimestamp)],
    },
    {
      name: 'Memo',
      show: ({ memo }) => foreignText(memo, { max: 60 }),
      fields: [foreignField('memo', ({ memo }) => memo)],
    },
  ];
}

export const accountsPage = listPage({
  path: '/accounts',
  title: () => 'Accounts',
  endpoint: listAccounts,
  items: itemsOfPage,
  columns: ({ links }) => accountColumns(links),
  none: 'No account fits.',
  order: 'desc',
  filters: [
    { name: 'account.publickey', label: 'Public key', placeholder: '64 or 66 hexadecimal digits' },
    { name: 'account.id', label: 'Id', placeholder: '0.0.1234' },
  ],
});

export const accountsWithKeyPage = listPage({
  path: '/accountsWithKey/:pubKey',
  title: () => 'Accounts of a key',
  heading: ({ params }) => heading('Accounts of the key', code(params.pubKey!)),
  endpoint: listAccounts,
  fixed: ({ params }) => ({ 'account.publickey': params.pubKey! }),
  items: itemsOfPage,
  columns: ({ links }) => accountColumns(links),
  none: 'No account has this key.',
  order: 'desc',
});
