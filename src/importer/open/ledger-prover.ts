// Checks the network's proof of each block of a stream, and follows what the stream says of its ledger: a publication of the
// ledger id under signatures of nodes is trusted, one in a block as far as that block's proof is.
import { randomBytes } from 'node:crypto';
import { ProofRefusal } from '../../proof/proof-refusal.ts';
import { type Publication, publicationType, readPublication } from '../../proof/publication.ts';
import { type PublicationSource, pinLedgerId, type Trust, takePublication } from '../../proof/trust.ts';
import { createProofVerifier } from '../../proof/verify-block-proof.ts';
import { isSuccess } from '../../protocol/hapi/response-codes.ts';
import { splitTransaction } from '../../protocol/record-stream/split-transaction.ts';
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import { type BlockVerification, notVerified, provedByNetwork, type UnitProof } from './block-verification.ts';
import { failureOf, readPart, StreamCheckError } from './stream-check-error.ts';

export type LedgerProver = {
  /** What was verified of a block, with what was found of the network's proofs. Throws StreamCheckError for one that is refused. */
  prove(block: StreamBlock, verification: BlockVerification): BlockVerification;
};

/** `ledgerId`: 32 bytes that blocks must be of; null: what the stream publishes first, which is then self-declared. */
export function createLedgerProver({ ledgerId }: { ledgerId: Uint8Array | null }): LedgerProver {
  const verifier = createProofVerifier({ random: randomBytes });
  let trust: Trust | null = ledgerId && pinLedgerId(ledgerId);

  function take(publications: readonly Publication[], known: Trust | null, source: PublicationSource): Trust | null {
    return publications.reduce((before, one) => takePublication(before, one, source), known);
  }

  function proveBlock(block: StreamBlock, publications: readonly Publication[], proofs: UnitProof[]): UnitProof[] {
    if (block.version !== blockStreamVersion) {
      if (proofs.every(({ isVerified }) => isVerified)) trust = take(publications, trust, 'records');
      return proofs;
    }
    const asked = { number: block.blockNumber ?? 0n, roots: rootsOf(block), proofs: proofs.flatMap(contentOf) };
    const { verdict, trust: after } = verifier.verify(asked, take(publications, trust, 'unverified'));
    if (verdict.state === 'refused') throw new ProofRefusal(verdict);
    trust = after;
    if (verdict.state === 'verified') trust = take(publications, trust, 'signedBlock');
    return proofs.map((proof) => {
      const { kind, bytes } = proof;
      if (kind !== 'signedBlock' && kind !== 'stateProof') return proof;
      // Where there are several, all are good, and the verdict is that of the one that proves the block by itself.
      return verdict.state === 'verified' ? provedByNetwork(verdict, bytes) : notVerified(kind, verdict.reason, bytes);
    });
  }

  return {
    prove(block, verification) {
      const { publications, problems } = findPublications(block);
      try {
        const proofs = proveBlock(block, publications, verification.proofs);
        return { ...verification, proofs, problems: [...verification.problems, ...problems] };
      } catch (error) {
        if (!(error instanceof ProofRefusal)) throw error;
        const { check, expected, found } = error.refusal;
        throw new StreamCheckError([failureOf('networkProof', block.name, `${check}: ${expected}`, found)]);
      }
    },
  };
}

/** Of a StreamBlock; others come from record files. */
const blockStreamVersion = 7;

/** In one block: networks publish one. Each takes up to a second to check. */
const maxPublications = 4;

const contentOf = ({ bytes }: UnitProof) => (bytes ? [bytes] : []);

function rootsOf({ hash, rootForms }: StreamBlock) {
  return rootForms ? { sixteen: rootForms.newer, eight: rootForms.older } : { sixteen: hash, eight: null };
}

/** Of transactions that succeeded: anybody may send one that does not. A malformed one is a problem in the report, and nothing more. */
function findPublications({ name, transactions }: StreamBlock): { publications: Publication[]; problems: string[] } {
  const publications: Publication[] = [];
  const problems: string[] = [];
  const published = transactions.filter(({ type, status }) => type === publicationType && isSuccess(status));
  if (published.length > maxPublications) {
    problems.push(`${published.length} ledger ids were published: only the first ${maxPublications} are read`);
  }
  for (const { transactionBytes } of published.slice(0, maxPublications)) {
    const content = readPart(name, () => findWireBytes(splitTransaction(transactionBytes).bodyBytes, publicationType));
    try {
      publications.push(readPublication(content ?? noBytes));
    } catch (error) {
      if (!(error instanceof ProofRefusal)) throw error;
      problems.push(`a ledger id was published that cannot be trusted: ${error.message}`);
    }
  }
  return { publications, problems };
}
