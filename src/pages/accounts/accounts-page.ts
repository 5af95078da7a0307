// `/{network}/accounts`: accounts with their balances, the newest first, and `/{network}/accountsWithKey/{key}`: those
// of a key.

import { html } from '../../../packages/kit/markup.ts';
import { toPublicKeyHex } from '../../../packages/protocol/hapi/key.ts';
import { listAccounts } from '../../resources/accounts/list-accounts.ts';
import { memoColumn } from '../lists/entity-columns.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import { link, ofLinks } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { formatPlainFraction, hbar } from '../parts/amounts.ts';
import { badge } from '../parts/badge.ts';
import { code } from '../parts/bytes.ts';
import { idField, timeField } from '../parts/fields.ts';
import { heading } from '../parts/section.ts';
import type { Column } from '../parts/table.ts';
import { formatDay } from '../parts/times.ts';
import { findAccount } from './find-account.ts';

type ListedAccount = ItemOf<typeof listAccounts>;

const accountColumns = ofLinks((links): readonly Column<ListedAccount>[] => [
  {
    name: 'Id',
    narrow: 'title',
    show: ({ id, deleted }) => html`${links.account(id)}${deleted ? html` ${badge('bad', 'Deleted')}` : null}`,
    fields: [idField('account_id', ({ id }) => id)],
  },
  {
    name: 'Balance',
    narrow: 'amount',
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
    narrow: 'none',
    isNumber: true,
    show: ({ balance }) => balance?.tokens.length ?? null,
  },
  {
    name: 'Created',
    narrow: 'end',
    show: ({ createdTimestamp }) => (createdTimestamp === null ? null : formatDay(createdTimestamp)),
    fields: [timeField('created_timestamp', ({ createdTimestamp }) => createdTimestamp)],
  },
  memoColumn(60),
]);

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
  heading: ({ params }, { links }) => html`${heading('Accounts of the key', code(params.pubKey!))}
<p class="lead">${link(`${links.start}/tokens?publickey=${encodeURIComponent(params.pubKey!)}`, 'Tokens with this admin key')}</p>`,
  endpoint: listAccounts,
  fixed: ({ params }) => ({ 'account.publickey': params.pubKey! }),
  items: itemsOfPage,
  columns: ({ links }) => accountColumns(links),
  none: 'No account has this key.',
  order: 'desc',
});

/** Who uses the key of an account; one of several keys is shown with the account itself. */
export const adminKeyPage: Page = {
  path: '/adminKey/:accountId',
  async ask(request, context) {
    const { id, key } = await findAccount(context, request);
    const single = toPublicKeyHex(key);
    const path = !single ? context.links.path('account', id) : `${context.links.start}/accountsWithKey/${single}`;
    return { location: path };
  },
};
