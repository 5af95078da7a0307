// Verifies the signatures of the record files that come next while the one at hand becomes rows: the work is done by other
// threads, and with small files it is most of an import's. There is a backlog then, so no more of them are looked at than prove
// the file. Only what is the same in its turn counts; whatever failed is done again then, with all of them, and tells.
import type { StreamFileGroup, StreamSource } from '../../source/stream-source.ts';
import type { Signers } from './signers.ts';
import { type VerifiedSignatures, verifySignatures } from './verify-signatures.ts';

export type SignaturesAhead = {
  /** These come next. */
  begin(groups: readonly StreamFileGroup[], signers: Signers): void;
  /** As `verifySignatures`. */
  verify(group: StreamFileGroup, signers: Signers): Promise<VerifiedSignatures>;
};

type Begun = { signers: Signers; present: number; result: Promise<VerifiedSignatures | null> };

export function createSignaturesAhead(source: StreamSource): SignaturesAhead {
  const begun = new WeakMap<StreamFileGroup, Begun>();

  return {
    begin(groups, signers) {
      for (const group of groups) {
        if (begun.has(group)) continue;
        const result = verifySignatures({ source, group, signers, onlyEnough: true }).catch(() => null);
        begun.set(group, { signers, present: countSignatures(group), result });
      }
    },
    async verify(group, signers) {
      const ahead = begun.get(group);
      // Since then a block may have changed who signs, and further signatures may have come.
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
