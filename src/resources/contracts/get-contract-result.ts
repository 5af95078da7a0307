// GET contracts/results/{transactionIdOrHash}: one result with the logs and storage changes of its transaction. The
// query is validated before the path.

import { endpoint, legacyReading } from '../../api/endpoint/endpoint.ts';
import { last } from '../../api/reading/query/conditions.ts';
import { bareFlag } from '../../api/reading/value/bare-flag.ts';
import { nonceText } from '../../api/reading/value/text-kinds.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import { type ContractResultAnswer, createContractResultDetailKind } from './contract-result-members.ts';
import { decodeFlag } from './decoded/decode-flag.ts';
import { executionInPath } from './execution-path.ts';
import { toResultAnswer } from './to-result-answer.ts';

export const getContractResult = endpoint({
  path: '/api/v1/contracts/results/{transactionIdOrHash}',
  id: 'getContractResult',
  tag: 'Contracts',
  summary: 'The result of a transaction, with its logs and the storage that it changed',
  description:
    'Of several transactions with one id or hash the newest that succeeded, else the newest. 206 where the network kept no full result.',
  in: { transactionIdOrHash: executionInPath },
  query: {
    hbar: bareFlag('true for amounts and prices in tinybar, false for weibar.', { default: true }),
    decode: decodeFlag,
    nonce: last(nonceText, 'Of the transaction id; 0 without. A hash has none.'),
  },
  peer: legacyReading,
  check: ({ hbar }) => void hbar.read(),
  async ask({ path: { transactionIdOrHash: name }, query }, context): Promise<ContractResultAnswer | null> {
    const execution = name.kind === 'id' ? { ...name, nonce: query.nonce ?? 0n } : name;
    const synthetic = context.settings.syntheticResults;
    const found = await context.ledger.contractResults.find(execution, { synthetic });
    return found && toResultAnswer(found, query, context);
  },
  answer: createContractResultDetailKind,
  status: ({ partial }) => (partial ? 206 : 200),
  fresh: 600,
  example: {
    text: 'the result of one execution',
    find: ({ execution }) => execution && formatTransactionId(execution),
    missing: 'no contract has been executed yet',
  },
});
