// GET tokens/{tokenId}: one token, now or as of a timestamp.
import { endpoint } from '../endpoint.ts';
import { idInPath } from '../parameters/entity-id.ts';
import { moment } from '../parameters/moment.ts';
import { createTokenKind } from './token-members.ts';

export const getToken = endpoint({
  path: '/api/v1/tokens/{tokenId}',
  id: 'getToken',
  tag: 'Tokens',
  summary: 'A token, now or at a time',
  in: {
    tokenId: idInPath({ form: 'token', kind: 'token', refusedAs: 'tokenid', description: 'Id of the token.' }),
  },
  query: {
    timestamp: moment('The state at this time: `eq` (as without an operator) and `lte` include what began just then.'),
  },
  ask: ({ path, query }, { ledger }) => ledger.tokens.find({ tokenId: path.tokenId, until: query.timestamp }),
  answer: createTokenKind,
  fresh: 5,
  example: { text: 'a token', find: ({ tokenId }) => tokenId, missing: 'no token has been created yet' },
});
