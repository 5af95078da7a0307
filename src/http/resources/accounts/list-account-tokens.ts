// GET accounts/{idOrAliasOrEvmAddress}/tokens: a page of the tokens that an account is associated with.
import type { AccountHolding } from '../../../ledger/tokens/create-holdings.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { refuseNotEqual } from '../../reading/query/refuse-not-equal.ts';
import { idRange } from '../../reading/value/entity-id.ts';
import type { Kind } from '../../values/kind.ts';
import { boolean, entityId, int64, timestamp, word } from '../../values/kinds.ts';
import { members, nullable, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { accountIdInPath } from './account-path.ts';

/** By HAPI number. */
function numbered(words: readonly string[]): Kind<number> {
  const { schema, write } = word(words);
  return { schema, write: (number) => (words[number] === undefined ? 'null' : write(words[number])) };
}

const freezeStatus = numbered(['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN']);
const kycStatus = numbered(['NOT_APPLICABLE', 'GRANTED', 'REVOKED']);

const holding = members<AccountHolding>(
  {
    automatic_association: nullable(boolean, (item) => item.automaticAssociation),
    balance: value(int64, (item) => item.balance, 'Smallest units.'),
    created_timestamp: nullable(timestamp, (item) => item.createdTimestamp),
    decimals: nullable(int64, (item) => item.decimals),
    token_id: value(entityId, (item) => item.tokenId),
    freeze_status: nullable(freezeStatus, (item) => item.freezeStatus),
    kyc_status: nullable(kycStatus, (item) => item.kycStatus),
  },
  { name: 'TokenOfAccount' },
);

export const listAccountTokens = endpoint({
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/tokens',
  id: 'listAccountTokens',
  tag: 'Accounts',
  summary: 'Tokens that an account is associated with',
  in: { idOrAliasOrEvmAddress: accountIdInPath({ known: true }) },
  query: {
    ...page({ order: 'asc', by: 'token id' }),
    'token.id': idRange('Id of the token. All bounds must hold; several exact ids are alternatives.', {
      form: 'numbered',
      kind: 'token',
      alternatives: true,
    }),
  },
  check: (_values, query) =>
    refuseNotEqual(query, 'token.id', 'Not equal (ne) comparison operator is not supported for token.id'),
  ask: ({ path, query }, { ledger }) =>
    ledger.holdings.listOfAccount({
      accountId: path.idOrAliasOrEvmAddress,
      token: query['token.id'],
      order: query.order,
      limit: query.limit,
    }),
  next: ['token.id'],
  answer: pageOf('tokens', holding, 'TokensOfAccount'),
  fresh: 1,
  example: {
    text: 'the tokens of an account',
    find: ({ accountId }) => accountId,
    missing: 'no account has been seen yet',
  },
});
