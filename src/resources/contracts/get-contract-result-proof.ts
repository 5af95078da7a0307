// GET contracts/results/{transactionIdOrHash}/proof: what shows to a client that trusts no other party that a contract
// had this result.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { handOver } from '../../api/endpoint/hand-over.ts';
import { last } from '../../api/reading/query/conditions.ts';
import { itemProofParameters, toProofWish } from '../../api/reading/value/proof-parameters.ts';
import { nonceText } from '../../api/reading/value/text-kinds.ts';
import { proofDocumentKind } from '../../api/values/proof-document.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import { executionInPath } from './execution-path.ts';

export const getContractResultProof = endpoint({
  path: '/api/v1/contracts/results/{transactionIdOrHash}/proof',
  id: 'getContractResultProof',
  tag: 'Contracts',
  summary: 'A proof that a contract result is in the ledger',
  description:
    'Of several transactions with one id or hash the newest that succeeded, else the newest. With outputs, traces and state changes of the transaction.',
  in: { transactionIdOrHash: executionInPath },
  query: {
    nonce: last(nonceText, 'Of the transaction id; 0 without. A hash has none.'),
    ...itemProofParameters,
  },
  own: true,
  mayLack: true,
  async ask({ path: { transactionIdOrHash: name }, query }, { ledger }) {
    const timestamp = await ledger.contractResults.findTime(
      name.kind === 'id' ? { ...name, nonce: query.nonce ?? 0n } : name,
    );
    if (timestamp === null) return null;
    return handOver(ledger.proofs.ofTransaction({ of: 'contractResult', timestamp }, toProofWish(query)));
  },
  answer: proofDocumentKind,
  fresh: 600,
  example: {
    text: 'the proof of an execution',
    find: ({ execution }) => execution && formatTransactionId(execution),
    missing: 'no contract has been executed yet',
  },
});
