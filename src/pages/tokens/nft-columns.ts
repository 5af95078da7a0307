// NFTs of a token as rows of a list.

import { html } from '../../../packages/kit/markup.ts';
import type { listTokenNfts } from '../../resources/tokens/list-token-nfts.ts';
import type { ItemOf } from '../lists/list-page.ts';
import { ofLinks } from '../page/links.ts';
import { badge } from '../parts/badge.ts';
import { briefBytes } from '../parts/decoded-bytes.ts';
import { idField } from '../parts/fields.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';

type ListedNft = ItemOf<typeof listTokenNfts>;

export const nftColumns = ofLinks((links): readonly Column<ListedNft>[] => [
  {
    name: 'Serial number',
    narrow: 'title',
    show: ({ tokenId, serialNumber, deleted }) =>
      html`${links.nft(tokenId!, serialNumber)}${deleted ? html` ${badge('bad', 'Deleted')}` : null}`,
    fields: [{ name: 'serial_number', text: ({ serialNumber }) => serialNumber.toString() }],
  },
  {
    name: 'Owner',
    narrow: 'start',
    show: ({ accountId }) => links.account(accountId),
    fields: [idField('owner', ({ accountId }) => accountId)],
  },
  {
    name: 'Metadata',
    narrow: 'below',
    show: ({ metadata }) => (metadata === null ? null : briefBytes(metadata)),
    fields: [
      { name: 'metadata', text: ({ metadata }) => Buffer.from(metadata ?? []).toString('utf8'), isForeign: true },
      { name: 'metadata_base64', text: ({ metadata }) => Buffer.from(metadata ?? []).toString('base64') },
    ],
  },
  {
    name: 'Minted',
    narrow: 'end',
    show: ({ createdTimestamp }) => (createdTimestamp === null ? null : moment(createdTimestamp)),
  },
]);
