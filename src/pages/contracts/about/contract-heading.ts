// What stands above every page of a contract: what it is called in its sources, how sure that is, and its other pages.

import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import type { ProxyKind } from '../../../../packages/verification/onchain/find-proxy.ts';
import type { ContractAbi, ShownProxy } from '../../../contracts/abi/create-contract-abis.ts';
import type { VerifiedAbi } from '../../../contracts/abi/verified-abis.ts';
import { type Links, link } from '../../page/links.ts';
import { badge } from '../../parts/badge.ts';
import { code } from '../../parts/bytes.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { heading, tabs } from '../../parts/section.ts';
import { contractName, type ShownContract } from './find-contract.ts';

const pages = {
  summary: ['', 'Summary'],
  calls: ['/calls', 'Calls'],
  events: ['/events', 'Events'],
  source: ['/source', 'Source'],
  abi: ['/abi', 'Functions'],
  bytecode: ['/bytecode', 'Bytecode'],
  state: ['/state', 'Storage'],
  token: ['/token', 'Token'],
} as const;

export type ContractTab = keyof typeof pages;

const maxName = 60;

export function contractHeading(shown: ShownContract, tab: ContractTab, links: Links): Markup {
  const path = links.path('contract', shown.id);
  const account = links.path('account', shown.id);
  const ways = [
    ...Object.entries(pages).flatMap(([name, [end, text]]) =>
      name === 'token' && shown.token === null ? [] : { path: `${path}${end}`, text },
    ),
    { path: `${account}/assets`, text: 'Assets' },
  ];
  return html`${heading('Contract', nameOf(shown), marks(shown))}${links.labelLine(shown.id)}
${origin(shown, links)}${tabs('Pages of the contract', ways, `${path}${pages[tab][0]}`)}`;
}

function nameOf(shown: ShownContract): MarkupValue {
  const name = foreignText(titleOf(shown.abi), { max: maxName });
  const id = code(contractName(shown));
  return name === null ? id : html`${name} <span class="kind">${id}</span>`;
}

/** Of its own sources, or of those that it forwards to. */
export function titleOf(abi: ContractAbi | null): string {
  return abi?.own?.name || behind(abi?.proxy)?.name || '';
}

/** The sources of the one contract that a proxy forwards to. */
export function behind(proxy: ShownProxy | null | undefined): VerifiedAbi | null {
  return proxy?.kind === 'diamond' ? null : (proxy?.implementations[0]?.verified ?? null);
}

function marks({ contract, abi, proxy, token }: ShownContract): MarkupValue {
  const checked = abi?.own ?? (proxy?.kind === 'eip1167' ? behind(proxy) : null);
  return [
    contract.deleted ? html` ${badge('bad', 'Deleted')}` : null,
    html` ${checked ? verifiedBadge(checked) : badge('plain', 'Not verified')}`,
    proxy ? html` ${badge('plain', proxyKinds[proxy.kind])}` : null,
    token ? html` ${badge('plain', token.standard)}` : null,
  ];
}

function verifiedBadge({ match }: Pick<VerifiedAbi, 'match'>): Markup {
  return match === 'perfect' ? badge('good', 'Verified: exact match') : badge('good', 'Verified: match');
}

const proxyKinds: Record<ProxyKind, string> = {
  eip1167: 'Minimal proxy',
  eip1967: 'Proxy',
  'eip1967-beacon': 'Beacon proxy',
  eip1822: 'Proxy (ERC-1822)',
  diamond: 'Diamond',
  zeppelinos: 'Proxy (ZeppelinOS)',
  safe: 'Safe proxy',
  sequence: 'Sequence wallet',
};

const facetsShown = 20;

/** Of which contract the sources are, and where calls go. */
function origin({ abi, proxy }: ShownContract, links: Links): MarkupValue {
  const twin = abi?.own?.similarTo ?? null;
  const shown = proxy?.implementations.slice(0, facetsShown) ?? [];
  const left = (proxy?.implementations.length ?? 0) - shown.length;
  const listed = shown.map(
    ({ address, verified }, place) =>
      html`${place === 0 ? null : '; '}${byAddress(address, links)}${verified ? html`, ${foreignText(verified.name, { max: maxName })}` : ', which is not verified'}`,
  );
  const sentences = [
    twin === null ? null : html`Its code is that of ${byAddress(twin, links)}, whose sources were checked. `,
    proxy === null ? null : html`Calls go on to ${listed}${left > 0 ? html`; and ${left} more` : null}.`,
  ];
  return sentences.every((sentence) => sentence === null) ? null : html`<p class="lead">${sentences}</p>\n`;
}

/** `address`: 0x and 40 hex digits. */
export function byAddress(address: string, links: Links): Markup {
  return link(`${links.start}/contract/${address}`, html`<code>${address}</code>`);
}
