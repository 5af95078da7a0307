// GET accounts/{id}/allowances/nfts: who may spend all NFTs of a token of the account, or for whom the account may.

import { canFollow, type Operator, type Range } from '../../../kit/range.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { type RequestError, refuse } from '../../frame/request-error.ts';
import { page } from '../../reading/page/page.ts';
import { operatorsOf } from '../../reading/query/query-parameters.ts';
import type { Query } from '../../reading/query/query-string.ts';
import { accountRange, tokenRange } from '../../reading/value/entity-id.ts';
import { isLookedUp } from '../../reading/value/entity-reference.ts';
import { flag } from '../../reading/value/flag.ts';
import { boolean, entityId } from '../../values/kinds.ts';
import { members } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { validity } from '../../values/validity.ts';
import { findLivingAccount, livingAccountInPath } from './living-account.ts';

const nftAllowance = members(
  { approved_for_all: boolean, owner: entityId, spender: entityId, timestamp: validity, token_id: entityId },
  { name: 'NftAllowance' },
);

export const listNftAllowances = endpoint({
  path: '/api/v1/accounts/{id}/allowances/nfts',
  id: 'listNftAllowances',
  tag: 'Accounts',
  summary: 'Who may spend all NFTs of a token',
  peer: { java: 'arguments' },
  in: { id: livingAccountInPath },
  query: {
    'account.id': accountRange('Id of the other account: one, or one bound on each side.', {
      most: { count: 2, name: 'accountIds' },
    }),
    ...page({ order: 'asc', by: 'the other account and token id' }),
    owner: flag('Whether {id} is the owner, and `account.id` the spender; false for the other way round.', {
      default: true,
    }),
    'token.id': tokenRange(
      'Id of the token: one, or one bound on each side. A bound needs an inclusive one on `account.id`, and holds at that.',
      { most: { count: 2, name: 'tokenIds' } },
    ),
  },
  check: (values, query) => refuseUnpageable(values['account.id'], values['token.id'], query),
  several: ({ path }) => isLookedUp(path.id),
  async ask({ path, query }, context) {
    const [other, token] = [query['account.id'], query['token.id']];
    const found = await context.ledger.allowances.listNfts({
      ...query,
      members: nftAllowance.members,
      by: query.owner ? 'owner' : 'spender',
      accountId: await findLivingAccount(path.id, context),
      other,
      token,
    });
    // An empty range of tokens is refused, in a link as well.
    const isOver = found.next && other.equals.length > 0 && !canFollow(token, found.next[1]!, query.order);
    return isOver ? { ...found, next: null } : found;
  },
  next: ['account.id', 'token.id'],
  answer: pageOf('allowances', nftAllowance, 'NftAllowances'),
  fresh: 1,
});

/** Throws RequestError for the first conflict. */
function refuseUnpageable(account: Range, token: Range, query: Query): void {
  const accounts = operatorsOf(query, 'account.id');
  const tokens = operatorsOf(query, 'token.id');
  if (isReversed(account)) throw refuse('invalidRange', { name: 'account.id' });
  if (tokens.length > 0 && accounts.length === 0) throw sentence('token.id parameter must have account.id present');
  refuseOperators(accounts, 'account.id');
  refuseOperators(tokens, 'token.id');
  const isTwoSided = account.from !== null && account.to !== null;
  if (!isTwoSided && isReversed(token)) throw refuse('invalidRange', { name: 'token.id' });
  for (const [isBounded, bound] of [
    [token.to !== null, 'lte'],
    [token.from !== null, 'gte'],
  ] as const) {
    if (isBounded && !accounts.includes('eq') && !accounts.includes(bound)) {
      throw sentence(`Requires the presence of an ${bound} or eq account.id parameter`);
    }
  }
}

/** Whether the last lower bound lies above the last upper one. */
function isReversed({ from, to, equals, isNothing }: Range): boolean {
  const lower = equals.at(-1) ?? from;
  return !isNothing && lower !== null && to !== null && lower > to;
}

const sides: Operator[][] = [['eq'], ['gt', 'gte'], ['lt', 'lte']];

/** Throws RequestError. */
function refuseOperators(operators: readonly Operator[], name: string): void {
  if (operators.includes('ne')) throw sentence(`Unsupported range operator ne for ${name}`);
  for (const side of sides) {
    if (operators.filter((operator) => side.includes(operator)).length > 1) {
      const text = `Only one range operator from [${side.join(', ')}] is allowed for the given parameter for ${name}`;
      throw sentence(text);
    }
  }
  if (operators.includes('eq') && operators.length > 1) throw refuse('rangeAndEqual', { name });
}

function sentence(text: string): RequestError {
  return refuse('malformedQuery', { text });
}
