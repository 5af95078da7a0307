// What pages about tokens of contracts have in common: addresses as links, amounts, and the sentence that says what all
// of it is made of.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { fromLongZeroAddress, isLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { inRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { ContractToken, ContractTokenStandard } from '../../ledger/tokens/create-contract-tokens.ts';
import { link } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { tokenAmount } from '../parts/amounts.ts';
import { moment } from '../parts/times.ts';
import { plainTokenAmount } from '../parts/token-names.ts';

/** 20 bytes; an address that is a number is shown as the account's id. */
export function addressLink(
  address: Buffer,
  { links, settings }: Pick<PageContext, 'links' | 'settings'>,
): MarkupValue {
  const num = isLongZeroAddress(address) ? fromLongZeroAddress(address) : 0n;
  if (num !== 0n) return links.account(inRealm(num, settings.system));
  const hex = address.toString('hex');
  return link(`${links.start}/account/0x${hex}`, html`<code>0x${hex.slice(0, 8)}&hellip;${hex.slice(-6)}</code>`);
}

export function hasSerials({ standard }: Pick<ContractToken, 'standard'>): boolean {
  return standard !== 'ERC-20';
}

/** Without a number of decimals amounts are of the smallest unit. */
export function amountOf({ decimals }: Pick<ContractToken, 'decimals'>, amount: bigint): string {
  return tokenAmount(amount, decimals ?? 0);
}

export function plainAmountOf({ decimals }: Pick<ContractToken, 'decimals'>, amount: bigint): string {
  return plainTokenAmount(amount, BigInt(decimals ?? 0));
}

/** What it says, else what was made and not unmade; null = neither is known. */
export function supplyOf(token: ContractToken): MarkupValue {
  return token.totalSupply === null ? null : amountOf(token, token.totalSupply);
}

/** Digits of a serial number may be those of a hash. */
export function serialText(serialNumber: bigint): string {
  const text = serialNumber.toString();
  return text.length <= 20 ? `#${text}` : `#${text.slice(0, 8)}…${text.slice(-6)}`;
}

/** Where what is shown comes from; `until`: null = it is not said how far. */
export function byItsEvents(token: ContractToken, until: bigint | null): Markup {
  const end = until === null ? null : html` up to ${moment(until)}`;
  const parts = token.isPartial
    ? ' Some of its transfers name more units than are added up here: amounts are not whole.'
    : null;
  const older = token.isBehind
    ? ' It was found to be a token late, and not all of its transfers are added up yet.'
    : null;
  return html`<p class="faint">Added up from its Transfer events${end}: a contract may keep other books than it tells.${parts}${older}</p>`;
}

export const standardWords: Readonly<Record<ContractTokenStandard, string>> = {
  'ERC-20': 'fungible',
  'ERC-721': 'each unit is one of its own',
  'ERC-1155': 'several kinds, each with any number of units',
};
