// Nodes as rows of a list.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { listNodes } from '../../resources/network/list-nodes.ts';
import type { ItemOf } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import { formatCount, formatPlainFraction, hbar } from '../parts/amounts.ts';
import { idField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { shareBar } from '../parts/share-bar.ts';
import type { Column } from '../parts/table.ts';

export type ListedNode = ItemOf<typeof listNodes>;

/** `total`: the stake of all nodes, tinybar; null = unknown. */
export function nodeColumns(links: Links, total: bigint | null): readonly Column<ListedNode>[] {
  return [
    {
      name: 'Node',
      narrow: 'title',
      show: ({ nodeId, description }) =>
        html`${link(`${links.start}/node/${nodeId}`, nodeId)} ${foreignText(description ?? '', { max: 100 })}`,
      fields: [{ name: 'node_id', text: ({ nodeId }) => nodeId.toString() }],
    },
    {
      name: 'Account',
      narrow: 'start',
      show: ({ nodeAccountId }) => links.account(nodeAccountId),
      fields: [idField('account_id', ({ nodeAccountId }) => nodeAccountId)],
    },
    {
      name: 'Staked',
      narrow: 'amount',
      isNumber: true,
      show: (node) => orNull(stakedTo(node), hbar),
      fields: [
        {
          name: 'staked_hbar',
          text: (node) => orNull(stakedTo(node), (staked) => formatPlainFraction(staked, 8)) ?? '',
        },
      ],
    },
    {
      name: 'Of all stake',
      narrow: 'end',
      show: (node) => (total === null ? null : orNull(stakedTo(node), (staked) => shareBar(staked, total))),
    },
    {
      name: 'Weight in consensus',
      narrow: 'none',
      isNumber: true,
      show: ({ stake }) => orNull(stake, hbar),
      fields: [{ name: 'stake_hbar', text: ({ stake }) => orNull(stake, (one) => formatPlainFraction(one, 8)) ?? '' }],
    },
    {
      name: 'Tinybar for 1 ℏ a period',
      narrow: 'none',
      isNumber: true,
      show: ({ rewardRateStart }) => orNull(rewardRateStart, formatCount),
    },
    {
      name: 'Addresses',
      narrow: 'below',
      show: ({ serviceEndpoints }) => formatEndpoints(serviceEndpoints, 2),
    },
  ];
}

/** Tinybar, of the same kind as the network's total stake: with and without rewards. null = unknown. */
export function stakedTo({ stakeRewarded, stakeNotRewarded }: ListedNode): bigint | null {
  return stakeRewarded === null || stakeNotRewarded === null ? null : stakeRewarded + stakeNotRewarded;
}

function orNull<T>(value: bigint | null, format: (value: bigint) => T): T | null {
  return value === null ? null : format(value);
}

type Endpoint = ListedNode['serviceEndpoints'][number];

/** `max`: the number of the others is said. */
export function formatEndpoints(endpoints: readonly Endpoint[], max: number): MarkupValue {
  const shown = endpoints.slice(0, max).map((one) => html`<div>${formatEndpoint(one)}</div>`);
  const left = endpoints.length - shown.length;
  return left > 0 ? [...shown, html`<div class="faint">and ${left} more</div>`] : shown;
}

/** A port of −1 is unknown. */
export function formatEndpoint({ domainName, ipAddressV4, port }: Endpoint): MarkupValue {
  const host = foreignText(domainName === '' ? ipAddressV4 : domainName, { max: 100 });
  return port < 0 ? host : html`${host}:${port}`;
}
