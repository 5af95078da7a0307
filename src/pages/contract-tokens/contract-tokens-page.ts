// `/{network}/contract-tokens`: tokens that contracts keep, by standard, the most transferred or the newest first.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { TokenPlace } from '../../../packages/store/read/select-contract-tokens.ts';
import { contractTokenStandards } from '../../ledger/tokens/create-contract-tokens.ts';
import type { Links } from '../page/links.ts';
import { filterForm } from '../parts/filters.ts';
import { tabs } from '../parts/section.ts';
import { chosenValue, keysetList, parseInt64 } from './keyset-list.ts';
import { tokenColumns } from './token-columns.ts';

const orders = ['transfers', 'id'] as const;

/** `standard`: null = tokens of the token service. */
export function tokenKindTabs(links: Links, standard: string | null): Markup {
  const ofStandard = (name: string): string => `${links.start}/contract-tokens?standard=${name}`;
  const service = `${links.start}/tokens`;
  return tabs(
    'Kinds of tokens',
    [
      { path: service, text: 'Token service' },
      ...contractTokenStandards.map((name) => ({ path: ofStandard(name), text: name })),
    ],
    standard === null ? service : ofStandard(standard),
  );
}

export const contractTokensPage = keysetList({
  path: '/contract-tokens',
  title: (request) => `${chosenValue(request, 'standard', contractTokenStandards)} tokens`,
  choices: { standard: contractTokenStandards, by: orders },
  open: async (request) => ({
    standard: chosenValue(request, 'standard', contractTokenStandards),
    by: chosenValue(request, 'by', orders),
  }),
  heading: (request, { links }, { standard }) => html`<h1>Tokens</h1>
${tokenKindTabs(links, standard)}
<p class="lead">Contracts with the functions of ${standard} that logged a transfer. Amounts are by their events; names are what they say, and anyone can say any name.</p>
${orderForm(request)}`,
  find: (asked, { ledger }, subject) => ledger.contractTokens.list({ ...subject, ...asked }),
  format: ({ transfers, contractId }: TokenPlace) =>
    transfers === null ? `${contractId}` : `${transfers}-${contractId}`,
  parse(text): TokenPlace | undefined {
    const [first, second] = text.split('-', 2);
    const contractId = parseInt64(second ?? first);
    const transfers = second === undefined ? null : parseInt64(first);
    return contractId === undefined || transfers === undefined ? undefined : { transfers, contractId };
  },
  columns: (context, { by }) => tokenColumns(context, by),
  none: 'No contract of this kind has logged a transfer.',
});

function orderForm(request: { path: string; queryText: string }): Markup {
  return filterForm(request, [
    { name: 'standard', label: 'Kind', choices: contractTokenStandards.map((name) => [name, name] as const) },
    {
      name: 'by',
      label: 'First',
      choices: [
        ['transfers', 'most transfers'],
        ['id', 'newest'],
      ],
    },
  ]);
}
