// GET contracts/{contractIdOrAddress}/results/{timestamp}: the result of a transaction that a contract or account took
// part in, with its logs and storage changes. `hbar` is validated before the path, and the path before the names in the
// query.

import { endpoint } from '../../api/endpoint/endpoint.ts';
import { readLegacyFilters } from '../../api/reading/query/query-parameters.ts';
import { bareFlag, readBareFlag } from '../../api/reading/value/bare-flag.ts';
import { isLookedUp } from '../../api/reading/value/entity-reference.ts';
import { textInPath } from '../../api/reading/value/text-in-path.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import { formatTimestamp } from '../../api/values/json-text.ts';
import { contractInPath, findContract } from './contract-path.ts';
import { type ContractResultAnswer, createContractResultDetailKind } from './contract-result-members.ts';
import { decodeFlag } from './decoded/decode-flag.ts';
import { toResultAnswer } from './to-result-answer.ts';

export const getResultOfContract = endpoint({
  path: '/api/v1/contracts/{contractIdOrAddress}/results/{timestamp}',
  id: 'getResultOfContract',
  tag: 'Contracts',
  summary: 'The result of a transaction that a contract took part in, with its logs and the storage that it changed',
  description: '206 where the network kept no full result.',
  in: {
    contractIdOrAddress: contractInPath,
    timestamp: textInPath(timestampText, {
      refusedAs: 'timestamp',
      description: 'Consensus time of the transaction.',
      example: '1586567700.453054000',
    }),
  },
  peer: {
    namesAllInPath: true,
    rule: readLegacyFilters,
    before: (query) => void readBareFlag(query.find(({ name }) => name === 'hbar')),
  },
  query: {
    hbar: bareFlag('true for amounts and prices in tinybar, false for weibar.', { default: true }),
    decode: decodeFlag,
  },
  several: ({ path }) => isLookedUp(path.contractIdOrAddress),
  async ask({ path, query }, context): Promise<ContractResultAnswer | null> {
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return null;
    const synthetic = context.settings.syntheticResults;
    const found = await context.ledger.contractResults.findAt(path.timestamp, { contractId, synthetic });
    return found && toResultAnswer(found, query, context);
  },
  answer: createContractResultDetailKind,
  status: ({ partial }) => (partial ? 206 : 200),
  fresh: 600,
  example: {
    text: 'the result of a contract at a time',
    find: ({ execution }) => execution && [execution.contractId, formatTimestamp(execution.consensusTimestamp)],
    missing: 'no contract has been executed yet',
  },
});
