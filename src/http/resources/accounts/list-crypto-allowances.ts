// GET accounts/{idOrAliasOrEvmAddress}/allowances/crypto: a page of the spenders of the account's hbar.
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { refuseNotEqual } from '../../reading/query/refuse-not-equal.ts';
import { idRange } from '../../reading/value/entity-id.ts';
import { pageOf } from '../../values/page-of.ts';
import { accountIdInPath } from './account-path.ts';
import { cryptoAllowance } from './allowance-members.ts';

export const listCryptoAllowances = endpoint({
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/allowances/crypto',
  id: 'listCryptoAllowances',
  tag: 'Accounts',
  summary: 'Who may spend hbar of an account, and how much',
  in: { idOrAliasOrEvmAddress: accountIdInPath() },
  query: {
    ...page({ order: 'desc', by: 'spender id' }),
    'spender.id': idRange('Id of the spender. All bounds must hold; several exact ids are alternatives.', {
      form: 'entity',
      kind: 'account',
      alternatives: true,
    }),
  },
  check: (_values, query) =>
    refuseNotEqual(query, 'spender.id', 'Not equal (ne) comparison operator is not supported for spender.id'),
  ask: ({ path, query }, { ledger }) =>
    ledger.allowances.listCrypto({
      owner: path.idOrAliasOrEvmAddress,
      spender: query['spender.id'],
      order: query.order,
      limit: query.limit,
    }),
  next: ['spender.id'],
  answer: pageOf('allowances', cryptoAllowance, 'CryptoAllowances'),
  fresh: 1,
  example: {
    text: 'who may spend hbar of an account',
    find: ({ accountId }) => accountId,
    missing: 'no account has been seen yet',
  },
});
