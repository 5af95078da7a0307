// GET accounts/{idOrAliasOrEvmAddress}/allowances/tokens: a page of the spenders of the account's tokens.
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { listKeyConditions, refuseUnpageable } from '../../reading/page/two-key-page.ts';
import { idRange } from '../../reading/value/entity-id.ts';
import { pageOf } from '../../values/page-of.ts';
import { accountIdInPath } from './account-path.ts';
import { tokenAllowance } from './allowance-members.ts';

const keys = { primary: 'spender.id', secondary: 'token.id' } as const;

export const listTokenAllowances = endpoint({
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/allowances/tokens',
  id: 'listTokenAllowances',
  tag: 'Accounts',
  summary: 'Who may spend tokens of an account, and how many',
  in: { idOrAliasOrEvmAddress: accountIdInPath() },
  query: {
    ...page({ order: 'asc', by: 'spender id and token id' }),
    'spender.id': idRange('Id of the spender: one, or one bound on each side.', { form: 'entity', kind: 'account' }),
    'token.id': idRange(
      'Id of the token: one, or one bound on each side. A bound needs an inclusive one on `spender.id`, and holds at that.',
      { form: 'numbered', kind: 'token' },
    ),
  },
  check: (_values, query) => refuseUnpageable(listKeyConditions(query, keys), keys),
  ask: ({ path, query }, { ledger }) =>
    ledger.allowances.listTokens({
      owner: path.idOrAliasOrEvmAddress,
      spender: query['spender.id'],
      token: query['token.id'],
      order: query.order,
      limit: query.limit,
    }),
  next: [keys.primary, keys.secondary],
  answer: pageOf('allowances', tokenAllowance, 'TokenAllowances'),
  fresh: 1,
  example: {
    text: 'who may spend tokens of an account',
    find: ({ accountId }) => accountId,
    missing: 'no account has been seen yet',
  },
});
