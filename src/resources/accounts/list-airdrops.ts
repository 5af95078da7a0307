// GET accounts/{id}/airdrops/outstanding and /pending: unclaimed airdrops from or to the account.

import { hasCrossedBounds } from '../../../packages/kit/range.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { positionAfter } from '../../api/reading/page/position.ts';
import { range } from '../../api/reading/query/conditions.ts';
import { accountRange, tokenRange } from '../../api/reading/value/entity-id.ts';
import { airdropSerialText } from '../../api/reading/value/text-kinds.ts';
import { entityId, int64 } from '../../api/values/kinds.ts';
import { members, nullable } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { validity } from '../../api/values/validity.ts';
import { findLivingAccount, listOfLivingAccount } from './living-account.ts';

const airdrop = members(
  {
    amount: nullable(int64, 'Smallest units; null for an NFT.'),
    receiver_id: entityId,
    sender_id: entityId,
    serial_number: nullable(int64, 'null for a fungible token.'),
    timestamp: validity,
    token_id: entityId,
  },
  { name: 'Airdrop' },
);

const boundsHint = 'A bound applies only where the keys before it equal their bounds in the same direction.';
const furtherKeys = {
  'token.id': tokenRange(`Id of the token. ${boundsHint}`, { most: { count: 2, name: 'tokenIds' } }),
  serialnumber: range(airdropSerialText, `Serial number of an NFT. ${boundsHint}`, {
    most: { count: 2, name: 'serialNumbers' },
  }),
};

/** `by`: which party the path names. */
function listAirdrops(by: 'sender' | 'receiver', state: string, which: string) {
  const other = by === 'sender' ? 'receiver' : 'sender';
  const otherId = `${other}.id` as const;
  const otherParty = accountRange(`Id of the ${other}.`, { most: { count: 2, name: `${other}Ids` } });
  const name = `${state[0]!.toUpperCase()}${state.slice(1)}Airdrops`;
  return endpoint({
    ...listOfLivingAccount('id'),
    path: `/api/v1/accounts/{id}/airdrops/${state}`,
    id: `list${name}`,
    summary: `Airdrops that an account ${which} yet`,
    query: {
      ...({ [otherId]: otherParty } as Record<typeof otherId, typeof otherParty>),
      ...page({ order: 'asc', by: 'the other account, token id and serial number' }),
      ...furtherKeys,
      after: positionAfter,
    },
    check(query) {
      if (hasCrossedBounds(query[otherId])) throw refuse('invalidRange', { name: 'account.id' });
    },
    ask: async ({ path, query }, context) =>
      context.ledger.airdrops.list({
        ...query,
        members: airdrop.members,
        by,
        accountId: await findLivingAccount(path.id, context),
        other: query[otherId],
        token: query['token.id'],
        serialNumber: query.serialnumber,
      }),
    next: [otherId, 'token.id', 'serialnumber'],
    position: 'after',
    answer: pageOf('airdrops', airdrop, name),
    fresh: 1,
  });
}

export const listOutstandingAirdrops = listAirdrops('sender', 'outstanding', 'sent and nobody has claimed');
export const listPendingAirdrops = listAirdrops('receiver', 'pending', 'was sent and has not claimed');
