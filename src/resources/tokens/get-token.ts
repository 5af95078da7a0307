// GET tokens/{tokenId}: one token, now or as of a timestamp.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { moment } from '../../api/reading/value/moment.ts';
import { createTokenKind } from './token-members.ts';
import { tokenInPath } from './token-path.ts';

export const getToken = endpoint({
  path: '/api/v1/tokens/{tokenId}',
  id: 'getToken',
  tag: 'Tokens',
  summary: 'A token, now or at a time',
  in: { tokenId: tokenInPath },
  query: {
    timestamp: moment('The state at this time: `eq` (as without an operator) and `lte` include what began just then.'),
  },
  ask: ({ path, query }, { ledger }) => ledger.tokens.find({ tokenId: path.tokenId, until: query.timestamp }),
  answer: createTokenKind,
  fresh: 5,
  // Versions of token, entity and fees do not change when another one follows.
  settledBy: ({ query }) => query.timestamp,
  example: { text: 'a token', find: ({ tokenId }) => tokenId, missing: 'no token has been created yet' },
});
