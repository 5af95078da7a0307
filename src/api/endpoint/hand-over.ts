import { refuse } from '../../../packages/web-server/request-error.ts';
import { ProofUnavailable } from '../../ledger/proofs/proof-unavailable.ts';

/** A proof that cannot be handed over is refused with its reason. Throws RequestError. */
export async function handOver<T>(made: Promise<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    if (!(error instanceof ProofUnavailable)) throw error;
    throw refuse(error.isTemporary ? 'noProofNow' : 'noProof', { reason: error.message });
  }
}
