// GET accounts/{id}/airdrops/outstanding and /pending: what the account sent, or was sent, and nobody has claimed yet.

import { hasCrossedBounds, type Range } from '../../../kit/range.ts';
import type { Airdrop } from '../../../ledger/accounts/create-airdrops.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { page } from '../../reading/page/page.ts';
import { positionAfter } from '../../reading/page/position.ts';
import { range } from '../../reading/query/conditions.ts';
import { idRange } from '../../reading/value/entity-id.ts';
import { isLookedUp } from '../../reading/value/entity-reference.ts';
import { airdropSerialText } from '../../reading/value/text-kinds.ts';
import { entityId, int64 } from '../../values/kinds.ts';
import { members, nullable, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { validity } from '../../values/validity.ts';
import { findLivingAccount, livingAccountInPath } from './living-account.ts';

const airdrop = members<Airdrop>(
  {
    amount: nullable(int64, (item) => item.amount, 'Smallest units; null for an NFT.'),
    receiver_id: value(entityId, (item) => item.receiverId),
    sender_id: value(entityId, (item) => item.senderId),
    serial_number: nullable(int64, (item) => item.serialNumber, 'null for a fungible token.'),
    timestamp: value(validity, (item) => item.valid),
    token_id: value(entityId, (item) => item.tokenId),
  },
  { name: 'Airdrop' },
);

const boundsHint = 'A bound holds where keys before it have the values of their bounds in the same direction.';
const common = {
  ...page({ order: 'asc', by: 'the other account, token id and serial number' }),
  'token.id': idRange(`Id of the token. ${boundsHint}`, {
    form: 'numbered',
    kind: 'token',
    most: { count: 2, name: 'tokenIds' },
  }),
  serialnumber: range(airdropSerialText, `Serial number of an NFT. ${boundsHint}`, {
    most: { count: 2, name: 'serialNumbers' },
  }),
  after: positionAfter,
};

export const listOutstandingAirdrops = endpoint({
  path: '/api/v1/accounts/{id}/airdrops/outstanding',
  id: 'listOutstandingAirdrops',
  tag: 'Accounts',
  summary: 'Airdrops that an account sent and nobody has claimed yet',
  java: 'arguments',
  in: { id: livingAccountInPath },
  query: {
    'receiver.id': idRange('Id of the receiver.', {
      form: 'entity',
      kind: 'account',
      most: { count: 2, name: 'receiverIds' },
    }),
    ...common,
  },
  check: (query) => refuseEmpty(query['receiver.id']),
  several: ({ path }) => isLookedUp(path.id),
  ask: async ({ path, query }, context) =>
    context.ledger.airdrops.list({
      by: 'sender',
      accountId: await findLivingAccount(path.id, context),
      other: query['receiver.id'],
      token: query['token.id'],
      serialNumber: query.serialnumber,
      after: query.after,
      order: query.order,
      limit: query.limit,
    }),
  next: ['receiver.id', 'token.id', 'serialnumber'],
  position: 'after',
  answer: pageOf('airdrops', airdrop, 'OutstandingAirdrops'),
  fresh: 1,
});

export const listPendingAirdrops = endpoint({
  path: '/api/v1/accounts/{id}/airdrops/pending',
  id: 'listPendingAirdrops',
  tag: 'Accounts',
  summary: 'Airdrops that an account was sent and has not claimed yet',
  java: 'arguments',
  in: { id: livingAccountInPath },
  query: {
    'sender.id': idRange('Id of the sender.', {
      form: 'entity',
      kind: 'account',
      most: { count: 2, name: 'senderIds' },
    }),
    ...common,
  },
  check: (query) => refuseEmpty(query['sender.id']),
  several: ({ path }) => isLookedUp(path.id),
  ask: async ({ path, query }, context) =>
    context.ledger.airdrops.list({
      by: 'receiver',
      accountId: await findLivingAccount(path.id, context),
      other: query['sender.id'],
      token: query['token.id'],
      serialNumber: query.serialnumber,
      after: query.after,
      order: query.order,
      limit: query.limit,
    }),
  next: ['sender.id', 'token.id', 'serialnumber'],
  position: 'after',
  answer: pageOf('airdrops', airdrop, 'PendingAirdrops'),
  fresh: 1,
});

/** Throws RequestError. */
function refuseEmpty(other: Range): void {
  if (hasCrossedBounds(other)) throw refuse('invalidRange', { name: 'account.id' });
}
