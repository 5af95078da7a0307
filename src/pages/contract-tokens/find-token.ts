// The token that a contract keeps, and what stands above its pages.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { ContractToken } from '../../ledger/tokens/create-contract-tokens.ts';
import { contractHeading } from '../contracts/about/contract-heading.ts';
import { findContract, type ShownContract } from '../contracts/about/find-contract.ts';
import type { PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { tabs } from '../parts/section.ts';
import { hasSerials } from './token-parts.ts';

export type ShownToken = { shown: ShownContract; token: ContractToken };

/** Throws RequestError if the contract is none, or keeps no token. */
export async function findToken(request: PageRequest, context: PageContext): Promise<ShownToken> {
  const shown = await findContract(context, request);
  const { token } = shown;
  if (token === null) {
    throw refuse('notFound', {
      missing: 'This contract has logged no transfer of a token, as far as logs are added up.',
    });
  }
  return { shown, token };
}

export function tokenPath({ links }: Pick<PageContext, 'links'>, { contractId }: ContractToken): string {
  return `${links.path('contract', contractId)}/token`;
}

/** `part`: of the path below the token's. */
export function tokenHeading({ shown, token }: ShownToken, part: string, context: PageContext): Markup {
  const own = tokenPath(context, token);
  const name = foreignText(token.name ?? '', {
    max: 100,
    none: html`<span class="faint">a token without a name</span>`,
  });
  const symbol = foreignText(token.symbol ?? '', { max: 40, none: 'no symbol' });
  return html`${contractHeading(shown, 'token', context.links)}
<p class="lead"><strong>${name}</strong> <span class="faint">(${symbol})</span></p>
${tabs(
  'Pages of the token',
  [
    { path: own, text: 'Overview' },
    { path: `${own}/holders`, text: 'Holders' },
    ...(hasSerials(token) ? [{ path: `${own}/serials`, text: 'Units' }] : []),
    { path: `${own}/transfers`, text: 'Transfers' },
  ],
  `${own}${part}`,
)}`;
}
