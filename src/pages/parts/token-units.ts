// Amounts of tokens in the token's own unit: its symbol, which anyone may have chosen, as the text of a link to the
// token.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { anyRange } from '../../../packages/kit/range.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Links, link } from '../page/links.ts';
import { formatCount, tokenAmount, tokenChange } from './amounts.ts';
import { foreignText } from './foreign-text.ts';
import { plainTokenAmount } from './token-names.ts';

export type TokenUnits = {
  /** The symbol as a link; the id where the ledger does not have the token. */
  unit(tokenId: bigint): Markup;
  /** Name and id, for a heading. */
  named(tokenId: bigint): Markup;
  /** `value`: in the smallest unit. */
  amount(tokenId: bigint, value: bigint): Markup;
  /** The same for programs. */
  plain(tokenId: bigint, value: bigint): string;
  /** The same with its sign. */
  change(tokenId: bigint, value: bigint): Markup;
};

/** Of as many tokens as one question takes; further ones have no symbol. */
const maxTokens = 50;
const members = ['decimals', 'name', 'symbol'] as const;
const maxSymbol = 20;
const maxName = 60;
/** Characters of markup: a symbol or a name of hidden characters says less than the id. */
const maxMarkup = { symbol: 160, name: 400 };

export async function findTokenUnits(
  ledger: Pick<Ledger, 'tokens'>,
  links: Links,
  tokenIds: Iterable<bigint>,
): Promise<TokenUnits> {
  const equals = [...new Set(tokenIds)].slice(0, maxTokens);
  const everyToken = { accountId: null, names: [], publicKey: [], type: [], order: 'asc', limit: maxTokens } as const;
  const found =
    equals.length === 0
      ? []
      : (await ledger.tokens.list({ ...everyToken, id: { ...anyRange, equals }, members })).items;
  const byId = new Map(found.map((token) => [token.tokenId, token]));

  const symbolOf = (tokenId: bigint): MarkupValue => {
    const shown = html`${foreignText(byId.get(tokenId)?.symbol ?? '', { max: maxSymbol })}`;
    const isUsable = shown.markup !== '' && shown.markup.length <= maxMarkup.symbol;
    return isUsable ? shown : formatEntityId(tokenId);
  };
  const unit = (tokenId: bigint): Markup => link(links.path('token', tokenId), symbolOf(tokenId));
  const decimalsOf = (tokenId: bigint): bigint => BigInt(byId.get(tokenId)?.decimals ?? 0);
  return {
    unit,
    named(tokenId) {
      const id = formatEntityId(tokenId);
      const name = html`${foreignText(byId.get(tokenId)?.name ?? '', { max: maxName })}`;
      const path = links.path('token', tokenId);
      if (name.markup === '' || name.markup.length > maxMarkup.name) return link(path, id);
      return html`${link(path, name)} <span class="faint">${id}</span>`;
    },
    amount(tokenId, value) {
      const shown = byId.has(tokenId) ? tokenAmount(value, decimalsOf(tokenId)) : formatCount(value);
      return html`<span class="amount">${shown} ${unit(tokenId)}</span>`;
    },
    plain: (tokenId, value) => plainTokenAmount(value, decimalsOf(tokenId)),
    change: (tokenId, value) => tokenChange(value, decimalsOf(tokenId), unit(tokenId)),
  };
}
