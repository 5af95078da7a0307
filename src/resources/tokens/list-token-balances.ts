// GET tokens/{tokenId}/balances: a page of the holders of a token, now or as of a snapshot.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { accountRange } from '../../api/reading/value/entity-id.ts';
import { textConditions } from '../../api/reading/value/text-conditions.ts';
import { amountText, publicKeyText } from '../../api/reading/value/text-kinds.ts';
import { entityId, int64 } from '../../api/values/kinds.ts';
import { members, nullable, value } from '../../api/values/members.ts';
import { balancesPage, snapshotTime } from '../balances/balances-page.ts';
import { tokenAbove } from './token-path.ts';

const tokenBalance = members(
  { account: entityId, balance: value(int64, 'Smallest units.'), decimals: nullable(int64) },
  { name: 'TokenBalance' },
);

export const listTokenBalances = endpoint({
  path: '/api/v1/tokens/{tokenId}/balances',
  id: 'listTokenBalances',
  tag: 'Tokens',
  summary: 'Who holds a token, now or at a time',
  in: { tokenId: tokenAbove },
  query: {
    'account.balance': range(amountText, `Smallest units. ${allHold}`),
    'account.id': accountRange(`Id of the account. ${allHold}`),
    'account.publickey': textConditions(
      publicKeyText,
      'Public key of the account, in hex or DER. Of several the last counts.',
    ),
    ...page({ order: 'desc', by: 'account id' }),
    timestamp: snapshotTime,
  },
  ask: ({ path, query }, { ledger }) =>
    ledger.balances.listOfToken({
      ...path,
      ...query,
      account: query['account.id'],
      balance: query['account.balance'],
      publicKey: query['account.publickey'].at(-1) ?? null,
    }),
  next: ['account.id'],
  answer: balancesPage(tokenBalance, 'TokenBalances'),
  fresh: 1,
  example: {
    text: 'who holds a token',
    find: ({ tokenId }) => tokenId,
    missing: 'no token has been created yet',
  },
});
