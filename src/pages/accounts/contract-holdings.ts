// `/{network}/account/:accountId/contract-tokens`: what an account has of tokens that contracts keep.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { keysetList, parseInt64 } from '../contract-tokens/keyset-list.ts';
import { holdingColumns } from '../contract-tokens/token-columns.ts';
import { link } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { accountHeading } from './account-heading.ts';
import { type FoundAccount, findAccount } from './find-account.ts';

const none = 'By the events of contracts it has none of their tokens.';
const brief = 10;

/** Contracts know an account by its EVM address, and some by its number. */
function addressesOf({ id, evmAddress }: Pick<FoundAccount, 'id' | 'evmAddress'>): Buffer[] {
  const longZero = toLongZeroAddress(id);
  return evmAddress?.length ? [longZero, Buffer.from(evmAddress)] : [longZero];
}

/** The first of them, for the page of all assets. */
export async function contractHoldings(account: FoundAccount, context: PageContext): Promise<Markup> {
  const asked = { accounts: addressesOf(account), after: 0n, limit: brief };
  const { items, next } = await context.ledger.contractTokens.listHoldings(asked);
  const path = `${context.links.path('account', account.id)}/contract-tokens`;
  return section(
    {
      id: 'contract-tokens',
      title: 'Tokens of contracts, by their events',
      beside: link(path, next === null ? 'As a list' : 'All of them'),
    },
    table(holdingColumns(context), items, { caption: 'Tokens of contracts', none }),
  );
}

export const contractHoldingsPage = keysetList({
  path: '/account/:accountId/contract-tokens',
  title: ({ params }) => `Tokens of contracts of ${params.accountId}`,
  open: (request, context) => findAccount(context, request),
  heading: (
    _request,
    { links },
    account,
  ) => html`${accountHeading(account, 'assets', links)}<h2>Tokens of contracts</h2>
<p class="faint">By the Transfer events of the contracts: a contract may keep other books than it tells.</p>`,
  find: ({ after, limit }, { ledger }, account) =>
    ledger.contractTokens.listHoldings({ accounts: addressesOf(account), after: after ?? 0n, limit }),
  format: (contractId: bigint) => `${contractId}`,
  parse: parseInt64,
  columns: (context) => holdingColumns(context),
  none,
});
