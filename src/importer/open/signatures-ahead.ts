// Verifies the signatures of the next record files while rows are made of the current one: other threads do the work,
// which with small files is most of an import's. In a backlog no more signatures are read than prove the file. A result
// counts only if nothing changed until the file's turn; a failure is repeated then, with all signatures, and reported.
import type { StreamFileGroup, StreamSource } from '../../../packages/sources/stream-source.ts';
import type { Signers } from './signers.ts';
import { type VerifiedSignatures, verifySignatures } from './verify-signatures.ts';

export type SignaturesAhead = {
  /** These come next. */
  begin(groups: readonly StreamFileGroup[], signers: Signers): void;
  /** As `verifySignatures`. */
  verify(group: StreamFileGroup, signers: Signers): Promise<VerifiedSignatures>;
};

type Begun = { signers: Signers; present: number; result: Promise<VerifiedSignatures | null> };

/** `keepsFiles`: signatures of as many nodes as proofs of items take are read, also where fewer have enough stake. */
export function createSignaturesAhead(source: StreamSource, { keepsFiles = false } = {}): SignaturesAhead {
  const begun = new WeakMap<StreamFileGroup, Begun>();

  return {
    begin(groups, signers) {
      for (const group of groups) {
        if (begun.has(group)) continue;
        const minNodes = keepsFiles ? Math.ceil(signers.count / 3) : 0;
        const asked = { source, group, signers, onlyEnough: true, minNodes };
        const result = verifySignatures(asked).catch(() => null);
        begun.set(group, { signers, present: countSignatures(group), result });
      }
    },
    async verify(group, signers) {
      const ahead = begun.get(group);
      // Since then a block may have changed the signers, and further signatures may have come.
      if (ahead?.signers === signers && ahead.present === countSignatures(group)) {
        const verified = await ahead.result;
        if (verified) return verified;
      }
      return verifySignatures({ source, group, signers });
    },
  };
}

function countSignatures({ copies }: StreamFileGroup): number {
  return copies.filter(({ signatureName }) => signatureName !== null).length;
}
