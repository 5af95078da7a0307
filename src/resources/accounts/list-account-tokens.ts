// GET accounts/{idOrAliasOrEvmAddress}/tokens: a page of the tokens that an account is associated with.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { refuseNotEqual } from '../../api/reading/query/refuse-not-equal.ts';
import { tokenRange } from '../../api/reading/value/entity-id.ts';
import { boolean, entityId, int64, numbered, timestamp } from '../../api/values/kinds.ts';
import { members, nullable, value } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { listOfAccount } from './account-path.ts';

const freezeStatus = numbered(['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN']);
const kycStatus = numbered(['NOT_APPLICABLE', 'GRANTED', 'REVOKED']);

const holding = members(
  {
    automatic_association: nullable(boolean),
    balance: value(int64, 'Smallest units.'),
    created_timestamp: nullable(timestamp),
    decimals: nullable(int64),
    token_id: entityId,
    freeze_status: nullable(freezeStatus),
    kyc_status: nullable(kycStatus),
  },
  { name: 'TokenOfAccount' },
);

export const listAccountTokens = endpoint({
  ...listOfAccount('the tokens of an account', { known: true }),
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/tokens',
  id: 'listAccountTokens',
  summary: 'Tokens that an account is associated with',
  query: {
    ...page({ order: 'asc', by: 'token id' }),
    'token.id': tokenRange('Id of the token. All bounds must hold; several exact ids are alternatives.', {
      alternatives: true,
    }),
  },
  check: (_values, query) =>
    refuseNotEqual(query, 'token.id', 'Not equal (ne) comparison operator is not supported for token.id'),
  ask: ({ path, query }, { ledger }) =>
    ledger.holdings.listOfAccount({
      ...query,
      members: holding.members,
      accountId: path.idOrAliasOrEvmAddress,
      token: query['token.id'],
    }),
  next: ['token.id'],
  answer: pageOf('tokens', holding, 'TokensOfAccount'),
  fresh: 1,
});
