// GET contracts/{contractIdOrAddress}: one contract, now or as of a timestamp range. The path's form is validated
// before the query, its meaning after it.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import { contractKind } from './contract-members.ts';
import { contractInPath, exampleOfContract } from './contract-path.ts';

export const getContract = endpoint({
  path: '/api/v1/contracts/{contractIdOrAddress}',
  id: 'getContract',
  tag: 'Contracts',
  summary: 'A contract with its bytecode, now or at a time',
  in: { contractIdOrAddress: contractInPath },
  query: {
    timestamp: range(
      timestampText,
      `The newest version of the contract that was valid then, in place of the current one. ${allHold}`,
    ),
  },
  async ask({ path: { contractIdOrAddress: reference }, query: { timestamp } }, { ledger, dialect }) {
    if (reference.kind === 'outOfRange') throw refuse('invalidEntityId', { id: reference.padded });
    return ledger.contracts.find({ reference, timestamp, leavesOutMoments: dialect.leavesOutMoments });
  },
  answer: contractKind,
  fresh: 1,
  example: exampleOfContract('a contract'),
});
