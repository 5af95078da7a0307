// `/{network}/blocks`: the newest blocks.
import { listBlocks } from '../../resources/blocks/list-blocks.ts';
import { type ItemOf, itemsOfPage, listPage } from '../list-page.ts';
import { formatCount } from '../parts/amounts.ts';
import { code } from '../parts/bytes.ts';
import type { Links } from '../parts/links.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';

type ListedBlock = ItemOf<typeof listBlocks>;

export function blockColumns(links: Links): readonly Column<ListedBlock>[] {
  return [
    {
      name: 'Number',
      show: ({ number }) => links.block(number),
      fields: [{ name: 'number', text: ({ number }) => number.toString() }],
    },
    { name: 'End', show: ({ consensusEnd }) => moment(consensusEnd) },
    { name: 'Transactions', isNumber: true, show: ({ count }) => formatCount(count) },
    { name: 'Gas', isNumber: true, show: ({ gasUsed }) => (gasUsed === null ? null : formatCount(gasUsed)) },
    { name: 'Hash', show: ({ hash }) => (hash === null ? null : code(`0x${hash.slice(0, 16)}…`)) },
  ];
}

export const blocksPage = listPage({
  path: '/blocks',
  title: () => 'Blocks',
  endpoint: listBlocks,
  items: itemsOfPage,
  columns: ({ links }) => blockColumns(links),
  none: 'No block fits.',
});
