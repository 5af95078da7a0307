// `/{network}/contracts`: contracts, the newest first.
import { html } from '../../../packages/kit/markup.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { listContracts } from '../../resources/contracts/list-contracts.ts';
import { createdColumn, memoColumn } from '../lists/entity-columns.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import { ofLinks } from '../page/links.ts';
import { badge } from '../parts/badge.ts';
import { code } from '../parts/bytes.ts';
import { idField } from '../parts/fields.ts';
import type { Column } from '../parts/table.ts';

type ListedContract = ItemOf<typeof listContracts>;

function addressOf({ evmAddress, contractId }: ListedContract): string {
  return `0x${Buffer.from(evmAddress ?? toLongZeroAddress(contractId!)).toString('hex')}`;
}

const contractColumns = ofLinks((links): readonly Column<ListedContract>[] => [
  {
    name: 'Id',
    narrow: 'title',
    show: ({ contractId, deleted }) =>
      html`${links.contract(contractId)}${deleted ? html` ${badge('bad', 'Deleted')}` : null}`,
    fields: [idField('contract_id', ({ contractId }) => contractId)],
  },
  {
    name: 'EVM address',
    narrow: 'none',
    show: (contract) => code(addressOf(contract)),
    fields: [{ name: 'evm_address', text: addressOf }],
  },
  createdColumn,
  memoColumn(60),
]);

export const contractsPage = listPage({
  path: '/contracts',
  title: () => 'Contracts',
  endpoint: listContracts,
  items: itemsOfPage,
  columns: ({ links }) => contractColumns(links),
  none: 'No contract has been created yet.',
});
