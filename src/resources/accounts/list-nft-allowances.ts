// GET accounts/{id}/allowances/nfts: who may spend all NFTs of a token of the account, or for whom the account may.

import { canFollow } from '../../../packages/kit/range.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { refuseJavaUnpageable } from '../../api/reading/page/java-two-keys.ts';
import { page } from '../../api/reading/page/page.ts';
import { accountRange, tokenRange } from '../../api/reading/value/entity-id.ts';
import { flag } from '../../api/reading/value/flag.ts';
import { boolean, entityId } from '../../api/values/kinds.ts';
import { members } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { validity } from '../../api/values/validity.ts';
import { findLivingAccount, listOfLivingAccount } from './living-account.ts';

const nftAllowance = members(
  { approved_for_all: boolean, owner: entityId, spender: entityId, timestamp: validity, token_id: entityId },
  { name: 'NftAllowance' },
);

const keys = { primary: 'account.id', secondary: 'token.id' } as const;

export const listNftAllowances = endpoint({
  ...listOfLivingAccount('id'),
  path: '/api/v1/accounts/{id}/allowances/nfts',
  id: 'listNftAllowances',
  summary: 'Who may spend all NFTs of a token',
  query: {
    'account.id': accountRange('Id of the other account: one, or one bound on each side.', {
      most: { count: 2, name: 'accountIds' },
    }),
    ...page({ order: 'asc', by: 'the other account and token id' }),
    owner: flag('Whether {id} is the owner, and `account.id` the spender; false for the other way round.', {
      default: true,
    }),
    'token.id': tokenRange(
      'Id of the token: one, or one bound on each side. A bound needs an inclusive one on `account.id`, and applies only at its value.',
      { most: { count: 2, name: 'tokenIds' } },
    ),
  },
  check: (values, query) => refuseJavaUnpageable(values, query, keys),
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
  next: [keys.primary, keys.secondary],
  answer: pageOf('allowances', nftAllowance, 'NftAllowances'),
  fresh: 1,
});
