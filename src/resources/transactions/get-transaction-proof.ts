// GET transactions/{transactionIdOrHash}/proof: what shows to a client that trusts no other party that the transaction
// is in the ledger.

import type { TransactionChoice } from '../../../packages/store/read/select-named-transactions.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { handOver } from '../../api/endpoint/hand-over.ts';
import { last } from '../../api/reading/query/conditions.ts';
import { flag } from '../../api/reading/value/flag.ts';
import { itemProofParameters, toProofWish } from '../../api/reading/value/proof-parameters.ts';
import { nonceText } from '../../api/reading/value/text-kinds.ts';
import { proofDocumentKind } from '../../api/values/proof-document.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type TransactionReference, transactionInPath } from './transaction-path.ts';

export const getTransactionProof = endpoint({
  path: '/api/v1/transactions/{transactionIdOrHash}/proof',
  id: 'getTransactionProof',
  tag: 'Transactions',
  summary: 'A proof that a transaction and its result are in the ledger',
  description:
    'Of several transactions of that name the first. Of one inside a batch: the batch, whose bytes it is in, and its own result. docs/reference/proof-documents.md says what each document shows.',
  in: { transactionIdOrHash: transactionInPath },
  query: {
    nonce: last(nonceText, 'Only the transaction with this nonce: 0 for the one that was signed.'),
    scheduled: flag('Only what was scheduled before, or only what was not.', { default: null }),
    ...itemProofParameters,
  },
  own: true,
  mayLack: true,
  async ask({ path: { transactionIdOrHash: reference }, query }, { ledger }) {
    const timestamp = await (reference.kind === 'hash' && reference.hashes.length > 1
      ? ledger.snapshot((own) => findTime(own, reference, query))
      : findTime(ledger, reference, query));
    if (timestamp === null) return null;
    return handOver(ledger.proofs.ofTransaction({ of: 'transaction', timestamp }, toProofWish(query)));
  },
  answer: proofDocumentKind,
  fresh: 600,
  // A later one of the same name comes after it.
  settledBy: (_asked, { settledBy }) => settledBy,
  example: {
    text: 'the proof of a transaction',
    find: ({ transaction }) => transaction && formatTransactionId(transaction),
    missing: 'no transaction has been imported yet',
  },
});

/** Of the first transaction of that name. */
async function findTime(
  { transactions }: Pick<Ledger, 'transactions'>,
  reference: TransactionReference,
  choice: TransactionChoice,
): Promise<bigint | null> {
  if (reference.kind === 'id') return (await transactions.findById(reference, choice))[0]?.consensusTimestamp ?? null;
  for (const hash of reference.hashes) {
    const [first] = await transactions.findByHash(hash, choice);
    if (first) return first.consensusTimestamp;
  }
  return null;
}
