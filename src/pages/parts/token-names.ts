// Names, symbols and decimals of tokens that a page mentions by id.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { anyRange } from '../../../packages/kit/range.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Links } from '../page/links.ts';
import { formatPlainFraction, tokenAmount } from './amounts.ts';
import { foreignText } from './foreign-text.ts';

export type TokenName = { name: string; symbol: string; decimals: bigint; isNft: boolean };

/** By id; without those that are not stored. */
export type TokenNames = ReadonlyMap<bigint, TokenName>;

const members = ['decimals', 'name', 'symbol', 'tokenId', 'type'] as const;
const maxAtOnce = 100;

/** Repeated ids are asked once. */
export async function findTokenNames({ ledger }: { ledger: Ledger }, ids: Iterable<bigint>): Promise<TokenNames> {
  const found = new Map<bigint, TokenName>();
  const all = [...new Set(ids)];
  for (let from = 0; from < all.length; from += maxAtOnce) {
    const equals = all.slice(from, from + maxAtOnce);
    const { items } = await ledger.tokens.list({
      ...{ members, accountId: null, id: { ...anyRange, equals }, names: [], publicKey: [], type: [] },
      ...{ order: 'asc' as const, limit: maxAtOnce },
    });
    for (const { tokenId, name, symbol, decimals, type } of items) {
      found.set(tokenId, { name, symbol, decimals, isNft: type === 'NON_FUNGIBLE_UNIQUE' });
    }
  }
  return found;
}

/** The symbol as its creator wrote it, and the id, which cannot be imitated. */
export function tokenUnit(id: bigint, names: TokenNames, links: Links): Markup {
  const token = names.get(id);
  return html`${token ? foreignText(token.symbol, { max: 20 }) : null} ${links.token(id)}`;
}

/** An amount with its decimals; of an unknown token in smallest units. */
export function amountOfToken(id: bigint, amount: bigint, names: TokenNames): MarkupValue {
  return tokenAmount(amount, names.get(id)?.decimals ?? 0n);
}

/** The same for programs. */
export function plainTokenAmount(amount: bigint, decimals: bigint): string {
  return decimals <= 100n ? formatPlainFraction(amount, Number(decimals)) : `${amount}e-${decimals}`;
}
