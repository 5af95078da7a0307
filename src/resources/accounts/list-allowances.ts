// GET accounts/{idOrAliasOrEvmAddress}/allowances/crypto and /tokens: who may spend hbar or tokens of the account.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { listKeyConditions, refuseUnpageable } from '../../api/reading/page/two-key-page.ts';
import { refuseNotEqual } from '../../api/reading/query/refuse-not-equal.ts';
import { accountRange, tokenRange } from '../../api/reading/value/entity-id.ts';
import { entityId, int64 } from '../../api/values/kinds.ts';
import { members, nullable, value } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { validity } from '../../api/values/validity.ts';
import { listOfAccount } from './account-path.ts';

const allowanceIn = (unit: string) => ({
  amount: value(int64, `What is left, ${unit}.`),
  amount_granted: nullable(int64, `What was granted, ${unit}.`),
  owner: entityId,
  spender: entityId,
  timestamp: validity,
});

const cryptoAllowance = members(allowanceIn('in tinybar'), { name: 'CryptoAllowance' });
const tokenAllowance = members(
  { ...allowanceIn('in smallest units of the token'), token_id: entityId },
  { name: 'TokenAllowance' },
);

export const listCryptoAllowances = endpoint({
  ...listOfAccount('who may spend hbar of an account'),
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/allowances/crypto',
  id: 'listCryptoAllowances',
  summary: 'Who may spend hbar of an account, and how much',
  query: {
    ...page({ order: 'desc', by: 'spender id' }),
    'spender.id': accountRange('Id of the spender. All bounds must hold; several exact ids are alternatives.', {
      alternatives: true,
    }),
  },
  check: (_values, query) =>
    refuseNotEqual(query, 'spender.id', 'Not equal (ne) comparison operator is not supported for spender.id'),
  ask: ({ path, query }, { ledger }) =>
    ledger.allowances.listCrypto({
      ...query,
      members: cryptoAllowance.members,
      owner: path.idOrAliasOrEvmAddress,
      spender: query['spender.id'],
    }),
  next: ['spender.id'],
  answer: pageOf('allowances', cryptoAllowance, 'CryptoAllowances'),
  fresh: 1,
});

const keys = { primary: 'spender.id', secondary: 'token.id' } as const;

export const listTokenAllowances = endpoint({
  ...listOfAccount('who may spend tokens of an account'),
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/allowances/tokens',
  id: 'listTokenAllowances',
  summary: 'Who may spend tokens of an account, and how many',
  query: {
    ...page({ order: 'asc', by: 'spender id and token id' }),
    'spender.id': accountRange('Id of the spender: one, or one bound on each side.'),
    'token.id': tokenRange(
      'Id of the token: one, or one bound on each side. A bound needs an inclusive one on `spender.id`, and applies only at its value.',
    ),
  },
  check: (_values, query) => refuseUnpageable(listKeyConditions(query, keys), keys),
  ask: ({ path, query }, { ledger }) =>
    ledger.allowances.listTokens({
      ...query,
      members: tokenAllowance.members,
      owner: path.idOrAliasOrEvmAddress,
      spender: query['spender.id'],
      token: query['token.id'],
    }),
  next: [keys.primary, keys.secondary],
  answer: pageOf('allowances', tokenAllowance, 'TokenAllowances'),
  fresh: 1,
});
