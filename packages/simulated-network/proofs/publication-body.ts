// The transaction that publishes a ledger id.
import { toLong } from '../ledger/hapi-values.ts';
import type { LedgerPublication } from './block-signer.ts';

/** A default value, as the id of the first node, is not written. */
export function toPublicationBody({ ledgerId, wrapsKey, nodes }: LedgerPublication) {
  return {
    ledgerId,
    ...(wrapsKey.length > 0 ? { historyProofVerificationKey: wrapsKey } : {}),
    nodeContributions: nodes.map(({ weight, key }, node) => ({
      ...(node === 0 ? {} : { nodeId: toLong(BigInt(node)) }),
      weight: toLong(weight),
      historyProofKey: key,
    })),
  };
}
