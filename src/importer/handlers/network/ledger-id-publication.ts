// LedgerIdPublication: the name under which the network proves its blocks, and the weights of the nodes behind the proof.
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import { emptyBytes } from '../../evm/contract-facts.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const ledgerIdPublication: TransactionHandler = {
  bodyField: 'ledgerIdPublication',
  entityId: () => 0n,
  onSuccess(item, context) {
    const body = item.body.ledgerIdPublication;
    if (!body) return;
    context.rows.upsert('ledger', {
      consensus_timestamp: item.consensusTimestamp,
      history_proof_verification_key: body.historyProofVerificationKey ?? emptyBytes,
      ledger_id: body.ledgerId ?? emptyBytes,
      node_contributions: body.nodeContributions.map(({ historyProofKey, nodeId, weight }) => ({
        history_proof_key: Buffer.from(historyProofKey ?? emptyBytes).toString('base64'),
        node_id: toBigInt(nodeId),
        weight: toBigInt(weight),
      })),
    });
  },
};
