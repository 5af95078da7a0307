// GET contracts/{contractIdOrAddress}: one contract, now or as of a timestamp range. The path's form is validated before the
// query, its meaning after it.
import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { range } from '../../reading/query/conditions.ts';
import { referenceInPath } from '../../reading/value/entity-id.ts';
import { timestampText } from '../../reading/value/text-kinds.ts';
import { contractKind } from './contract-members.ts';

export const getContract = endpoint({
  path: '/api/v1/contracts/{contractIdOrAddress}',
  id: 'getContract',
  tag: 'Contracts',
  summary: 'A contract with its bytecode, now or at a time',
  in: {
    contractIdOrAddress: referenceInPath({
      form: 'contract',
      kind: 'contract',
      refusedAs: 'contractid',
      description: 'Id or EVM address of the contract.',
    }),
  },
  query: {
    timestamp: range(
      timestampText,
      'The newest version of the contract that was valid then, in place of the current one. Of several, all must hold.',
    ),
  },
  async ask({ path: { contractIdOrAddress: reference }, query: { timestamp } }, { ledger, dialect }) {
    if (reference.kind === 'outOfRange') throw refuse('invalidEntityId', { id: reference.padded });
    return ledger.contracts.find({ reference, timestamp, leavesOutMoments: dialect.leavesOutMoments });
  },
  answer: contractKind,
  fresh: 1,
  example: { text: 'a contract', find: ({ contractId }) => contractId, missing: 'no contract has been created yet' },
});
