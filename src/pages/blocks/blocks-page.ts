// `/{network}/blocks`: the newest blocks, or those of a time.
import { html } from '../../../packages/kit/markup.ts';
import { listBlocks } from '../../resources/blocks/list-blocks.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import { ofLinks } from '../page/links.ts';
import { formatCount } from '../parts/amounts.ts';
import { timeField } from '../parts/fields.ts';
import { timeFields } from '../parts/filters.ts';
import { newBlocks } from '../parts/live-feed.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';

type ListedBlock = ItemOf<typeof listBlocks>;

export const blockColumns = ofLinks((links): readonly Column<ListedBlock>[] => [
  {
    name: 'Number',
    narrow: 'title',
    show: ({ number }) => links.block(number),
    fields: [{ name: 'number', text: ({ number }) => number.toString() }],
  },
  {
    name: 'End',
    narrow: 'end',
    show: ({ consensusEnd }) => moment(consensusEnd),
    fields: [
      timeField('consensus_start', ({ consensusStart }) => consensusStart),
      timeField('consensus_end', ({ consensusEnd }) => consensusEnd),
    ],
  },
  {
    name: 'Transactions',
    narrow: 'amount',
    isNumber: true,
    narrowName: 'behind',
    show: ({ count }) => formatCount(count),
    fields: [{ name: 'transactions', text: ({ count }) => count.toString() }],
  },
  {
    name: 'Gas',
    narrow: 'none',
    isNumber: true,
    show: ({ gasUsed }) => (gasUsed === null ? null : formatCount(gasUsed)),
    fields: [{ name: 'gas_used', text: ({ gasUsed }) => gasUsed?.toString() ?? '' }],
  },
  {
    name: 'Hash',
    narrow: 'start',
    show: ({ hash }) => (hash === null ? null : html`<code>0x${hash.slice(0, 16)}&hellip;</code>`),
    fields: [{ name: 'hash', text: ({ hash }) => (hash === null ? '' : `0x${hash}`) }],
  },
]);

export const blocksPage = listPage({
  path: '/blocks',
  title: () => 'Blocks',
  endpoint: listBlocks,
  items: itemsOfPage,
  columns: ({ links }) => blockColumns(links),
  none: 'No block fits.',
  numbered: ({ number }) => number,
  filters: timeFields,
  live: () => ({ url: newBlocks, name: 'blocks' }),
});
