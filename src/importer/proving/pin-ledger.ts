import { ProofRefusal } from '../../../packages/proof/proof-refusal.ts';
import { settleTrust, toStoredTrust } from '../../../packages/proof/trust.ts';
import type { KnownLedger } from './ledger-change.ts';

/**
 * What is trusted with the ledger id that the operator names, if one is; `isOther`: what was found is of another
 * ledger.
 */
export function pinLedger(
  found: KnownLedger['trust'],
  pinned: Uint8Array | null,
): { trust: KnownLedger['trust']; isOther: boolean } {
  try {
    const trust = settleTrust(found, pinned);
    return { trust: trust && toStoredTrust(trust), isOther: false };
  } catch (error) {
    if (!(error instanceof ProofRefusal) || !found || !pinned) throw error;
    return { trust: found, isOther: true };
  }
}
