// `/{network}/node/{number}`: one node: whose it is, where it answers, what is staked to it.

import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { toPublicKeyHex } from '../../../packages/protocol/hapi/key.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { getNetworkStake } from '../../resources/network/get-network-stake.ts';
import { listNodes } from '../../resources/network/list-nodes.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { formatCount, hbar } from '../parts/amounts.ts';
import { code, hexBytes } from '../parts/bytes.ts';
import { facts } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { orNull } from '../parts/or-null.ts';
import { heading, section } from '../parts/section.ts';
import { shareBar } from '../parts/share-bar.ts';
import { moment } from '../parts/times.ts';
import { formatEndpoint, formatEndpoints, type ListedNode, stakedTo } from './node-columns.ts';
import { periodOf } from './stake-facts.ts';

export const nodePage: Page = {
  path: '/node/:nodeId',
  async ask({ params, queryText }, { ask, links }) {
    if (queryText !== '') throw refuse('unknownParameter', { name: queryText.split('=')[0]!.slice(0, 100) });
    const number = params.nodeId!;
    if (!/^\d{1,19}$/.test(number)) throw refuse('invalidParameter', { name: 'node.id' });
    const query = `node.id=${number}`;
    const [nodes, stake] = await Promise.all([ask(listNodes, { queryText: query }), orNull(ask(getNetworkStake, {}))]);
    const [node] = nodes.found.items;
    if (!node) throw refuse('notFound');
    return {
      title: `Node ${node.nodeId}`,
      main: html`${heading('Node', node.nodeId)}
${section({ id: 'node', title: 'Address book', beside: link(`${links.start}/nodes`, 'All nodes') }, facts(bookFacts(node, links)))}
${section({ id: 'stake', title: 'Stake' }, stakeOf(node, stake?.found.stakeTotal ?? null))}`,
      json: pathOfJson(listNodes, {}, query),
    };
  },
};

function bookFacts(node: ListedNode, links: Links): readonly (readonly [string, MarkupValue])[] {
  const { timestamp, grpcProxyEndpoint, associatedRegisteredNodes: services } = node;
  return [
    ['Description', foreignText(node.description ?? '')],
    ['Account', links.account(node.nodeAccountId)],
    ['Memo', foreignText(node.memo ?? '')],
    ['Addresses', formatEndpoints(node.serviceEndpoints, 50)],
    ['gRPC-Web', grpcProxyEndpoint && formatEndpoint(grpcProxyEndpoint)],
    ['Admin key', formatKey(node.adminKey, links)],
    ['Public key', hexBytes(readHex(node.publicKey))],
    ['Hash of the certificate', hexBytes(readHex(node.nodeCertHash))],
    ['Takes rewards', node.declineReward === null ? null : node.declineReward ? 'No' : 'Yes'],
    ['Registered services', services.length === 0 ? null : services.slice(0, 100).join(', ')],
    ['Address book since', timestamp.from === null ? null : moment(timestamp.from)],
  ];
}

function stakeOf(node: ListedNode, total: bigint | null): MarkupValue {
  const { stake, rewardRateStart, stakingPeriod } = node;
  const staked = stakedTo(node);
  if (stake === null) return html`<p class="none">No staking period has ended yet.</p>`;
  const amount = (value: bigint | null): MarkupValue => (value === null ? null : hbar(value));
  return facts([
    ['Staked', amount(staked)],
    ['Of all stake', total === null || staked === null ? null : shareBar(staked, total)],
    ['Staked for rewards', amount(node.stakeRewarded)],
    ['Staked without rewards', amount(node.stakeNotRewarded)],
    ['Weight in consensus', hbar(stake)],
    ['Least that counts', amount(node.minStake)],
    ['Most that counts', amount(node.maxStake)],
    ['Reward', rewardRateStart === null ? null : `${formatCount(rewardRateStart)} tinybar for 1 ℏ a period`],
    ['Period', stakingPeriod === null ? null : periodOf(stakingPeriod)],
  ]);
}

/** The accounts of a plain key are one click away. */
function formatKey(bytes: Uint8Array | null, links: Links): MarkupValue {
  const hex = toPublicKeyHex(bytes);
  if (!hex) return hexBytes(bytes);
  return html`${code(hex)} ${link(`${links.start}/accountsWithKey/${hex}`, 'its accounts')}`;
}

/** Hex that is kept as text. */
function readHex(stored: Uint8Array | string | null): Uint8Array | null {
  return stored === null ? null : Buffer.from(stored.toString(), 'hex');
}
