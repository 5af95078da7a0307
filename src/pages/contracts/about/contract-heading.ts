// What stands above every page of a contract: what it is called in its sources, how sure that is, and its other pages.

import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import type { ContractAbi } from '../../../contracts/abi/create-contract-abis.ts';
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
} as const;

export type ContractTab = keyof typeof pages;

const maxName = 60;

export function contractHeading(shown: ShownContract, tab: ContractTab, links: Links): Markup {
  const path = links.path('contract', shown.id);
  const account = links.path('account', shown.id);
  const ways = [
    ...Object.values(pages).map(([end, text]) => ({ path: `${path}${end}`, text })),
    { path: `${account}/assets`, text: 'Assets' },
  ];
  return html`${heading('Contract', nameOf(shown), marks(shown))}
${origin(shown.abi, links)}${tabs('Pages of the contract', ways, `${path}${pages[tab][0]}`)}`;
}

function nameOf(shown: ShownContract): MarkupValue {
  const name = foreignText(titleOf(shown.abi), { max: maxName });
  const id = code(contractName(shown));
  return name === null ? id : html`${name} <span class="kind">${id}</span>`;
}

/** Of its own sources, or of those that it forwards to. */
export function titleOf(abi: ContractAbi | null): string {
  return abi?.own?.name || abi?.implementation?.verified?.name || '';
}

function marks({ contract, abi }: ShownContract): MarkupValue {
  const checked = abi?.own ?? (abi?.implementation?.kind === 'eip1167' ? abi.implementation.verified : null);
  return [
    contract.deleted ? html` ${badge('bad', 'Deleted')}` : null,
    html` ${checked ? verifiedBadge(checked) : badge('plain', 'Not verified')}`,
    abi?.implementation ? html` ${badge('plain', proxyKinds[abi.implementation.kind])}` : null,
  ];
}

function verifiedBadge({ match }: Pick<VerifiedAbi, 'match'>): Markup {
  return match === 'perfect' ? badge('good', 'Verified: exact match') : badge('good', 'Verified: match');
}

const proxyKinds = {
  eip1167: 'Minimal proxy',
  eip1967: 'Proxy',
  'eip1967-beacon': 'Beacon proxy',
} as const;

/** Of which contract the sources are, and where calls go. */
function origin(abi: ContractAbi | null, links: Links): MarkupValue {
  if (abi === null) return null;
  const { own, implementation } = abi;
  const twin = own?.similarTo ?? null;
  const sentences = [
    twin === null ? null : html`Its code is that of ${byAddress(twin, links)}, whose sources were checked. `,
    implementation === null
      ? null
      : html`Calls go on to ${byAddress(implementation.address, links)}${implementation.verified ? html`, ${foreignText(implementation.verified.name, { max: maxName })}` : ', which is not verified'}.`,
  ];
  return sentences.every((sentence) => sentence === null) ? null : html`<p class="lead">${sentences}</p>\n`;
}

/** `address`: 0x and 40 hex digits. */
export function byAddress(address: string, links: Links): Markup {
  return link(`${links.start}/contract/${address}`, html`<code>${address}</code>`);
}
