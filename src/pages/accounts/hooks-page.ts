// `/{network}/account/:accountId/hooks`: code that runs when the account is used.
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { listHooks } from '../../resources/accounts/list-hooks.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import type { Links } from '../page/links.ts';
import { badge } from '../parts/badge.ts';
import { idField } from '../parts/fields.ts';
import { keyTree } from '../parts/key-tree.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { headingOf } from './account-heading.ts';

type Hook = ItemOf<typeof listHooks>;

function hookColumns(links: Links): readonly Column<Hook>[] {
  return [
    {
      name: 'Hook',
      narrow: 'start',
      narrowName: 'before',
      isNumber: true,
      show: ({ hookId }) => hookId,
      fields: [{ name: 'hook_id', text: ({ hookId }) => hookId.toString() }],
    },
    {
      name: 'Runs',
      narrow: 'title',
      show: ({ contractId }) => links.contract(contractId),
      fields: [idField('contract_id', ({ contractId }) => contractId ?? 0n)],
    },
    {
      name: 'When',
      narrow: 'below',
      show: ({ extensionPoint }) => extensionPoint.replaceAll('_', ' ').toLowerCase(),
      fields: [{ name: 'extension_point', text: ({ extensionPoint }) => extensionPoint }],
    },
    {
      name: 'Created',
      narrow: 'end',
      show: ({ createdTimestamp }) => moment(createdTimestamp),
      fields: [{ name: 'created', text: ({ createdTimestamp }) => formatTimestamp(createdTimestamp) }],
    },
    { name: 'Admin key', narrow: 'below', narrowName: 'before', show: ({ adminKey }) => keyTree(adminKey, links) },
    {
      name: 'State',
      narrow: 'amount',
      show: ({ deleted }) => (deleted ? badge('bad', 'Deleted') : badge('good', 'In force')),
      fields: [{ name: 'deleted', text: ({ deleted }) => `${deleted}` }],
    },
  ];
}

export const hooksPage = listPage({
  path: '/account/:accountId/hooks',
  title: ({ params }) => `Hooks of ${params.accountId}`,
  heading: headingOf('hooks'),
  endpoint: listHooks,
  params: ({ params }) => ({ ownerId: params.accountId! }),
  items: itemsOfPage,
  columns: ({ links }) => hookColumns(links),
  none: 'It has no hooks.',
});
