// Checks the network's proofs of consecutive blocks, and follows what the stream says of its ledger. Made of messages, so that it
// can run in a thread: what is trusted stays here, and goes out as it is stored.
import { randomBytes } from 'node:crypto';
import { ProofRefusal, type Refusal } from '../../proof/proof-refusal.ts';
import { type Publication, readPublication } from '../../proof/publication.ts';
import {
  describeLedger,
  type PublicationSource,
  type StoredTrust,
  settleTrust,
  type Trust,
  takePublication,
  toStoredTrust,
} from '../../proof/trust.ts';
import { describeAttestation } from '../../proof/verdict.ts';
import { type BlockToProve, createProofVerifier, type Verified } from '../../proof/verify-block-proof.ts';

/** `publications`: messages of transactions in it that published a ledger id. */
export type BlockToCheck = BlockToProve & { publications: readonly Uint8Array[] };

/** What an import begins with. */
export type GivenTrust = {
  /** Of earlier blocks. */
  stored: StoredTrust | null;
  /** Both from the operator. */
  ledgerId: Uint8Array | null;
  publication: Uint8Array | null;
};

/** Why the block at this index must not be imported, whatever follows it. */
export type Halt = { index: number; refusal: Refusal };

export type CheckedProofs = {
  /** By index: the verdict of blocks whose signature was checked. */
  verified: Map<number, Verified>;
  /** By index: why the block has no good proof, and whether what it would be checked with is missing. */
  reasons: Map<number, { reason: string; lacksTrust: boolean }>;
  halt: Halt | null;
  problems: string[];
  trust: StoredTrust | null;
};

type CheckedPublications = Pick<CheckedProofs, 'trust' | 'problems' | 'halt'>;

/** Each is answered by a value or, from another thread, by a promise. */
export type ProofChecker<Answer extends 'value' | 'promise' = 'value' | 'promise'> = {
  [Name in keyof ProofChecks]: (
    ...asked: Parameters<ProofChecks[Name]>
  ) => Answer extends 'promise' ? Promise<ReturnType<ProofChecks[Name]>> : ReturnType<ProofChecks[Name]>;
};

type ProofChecks = {
  /** The refusal of what was given; null = it is trusted from here on. */
  begin(given: GivenTrust): Refusal | null;
  /** From a block that signatures of nodes prove. */
  takeSigned(publications: readonly Uint8Array[]): CheckedPublications;
  /** Every key is checked, and as many signatures, from the last block on, as it takes to find a good one. */
  check(blocks: readonly BlockToCheck[]): CheckedProofs;
};

/** Nothing after the block makes these good: its proof, or what it publishes, is of another ledger or of an old key. */
const halting: ReadonlySet<Refusal['check']> = new Set(['attestation', 'ledgerId', 'wrapsKey', 'rotation']);

export function createProofChecker(): ProofChecker<'value'> {
  const verifier = createProofVerifier({ random: randomBytes });
  let trust: Trust | null = null;

  function take(publications: readonly Publication[], source: PublicationSource): void {
    for (const publication of publications) trust = takePublication(trust, publication, source);
  }

  function refusalOf(error: unknown): Refusal {
    if (!(error instanceof ProofRefusal)) throw error;
    const { refusal } = error;
    const isOfLedger = trust && halting.has(refusal.check) && refusal.check !== 'ledgerId';
    const ledger = isOfLedger ? `, of ${describeLedger(trust!)}` : '';
    return { ...refusal, expected: refusal.expected + ledger };
  }

  /** Whether the block has a good proof; notes what was found. */
  function verify(blocks: readonly Read[], index: number, found: CheckedProofs): boolean {
    const { block, publications } = blocks[index]!;
    const { verdict, trust: after } = verifier.verify(block, trust);
    if (verdict.state === 'unchecked') {
      found.reasons.set(index, verdict);
      return false;
    }
    if (verdict.state === 'unproved') {
      found.reasons.set(index, { reason: `its key is ${describeAttestation(verdict)}`, lacksTrust: true });
      return false;
    }
    if (verdict.state === 'refused') {
      refuse(index, new ProofRefusal(verdict), found);
      return false;
    }
    trust = after;
    take(publications, 'signedBlock');
    found.verified.set(index, verdict);
    return true;
  }

  function refuse(index: number, error: unknown, found: CheckedProofs): void {
    const refusal = refusalOf(error);
    const { check, expected, found: instead } = refusal;
    found.reasons.set(index, { reason: `${check}: expected ${expected}, found ${instead}`, lacksTrust: false });
    if (halting.has(check)) found.halt = { index, refusal };
  }

  /** In order, until one that must not be imported. Resolves with the index of the last good proof that was found on the way, else −1. */
  function checkKeys(blocks: readonly Read[], found: CheckedProofs): number {
    let proved = -1;
    for (const [index, { block, publications }] of blocks.entries()) {
      try {
        take(publications, 'unverified');
        const standing = trust && verifier.attest(block, trust);
        // Another key counts where the signature is good, which is once a day.
        if (standing === 'news' && verify(blocks, index, found)) proved = index;
      } catch (error) {
        refuse(index, error, found);
      }
      if (found.halt) break;
    }
    return proved;
  }

  return {
    begin({ stored, ledgerId, publication }) {
      trust = null;
      try {
        trust = settleTrust(stored, ledgerId);
        if (publication) take([readPublication(publication)], 'operator');
        return null;
      } catch (error) {
        return refusalOf(error);
      }
    },
    takeSigned(contents) {
      const { publications, problems } = readPublications(contents);
      try {
        take(publications, 'records');
        return { trust: trust && toStoredTrust(trust), problems, halt: null };
      } catch (error) {
        return { trust: trust && toStoredTrust(trust), problems, halt: { index: 0, refusal: refusalOf(error) } };
      }
    },
    check(asked) {
      const read = asked.map((block) => ({ block, ...readPublications(block.publications) }));
      const problems = read.flatMap((block) => block.problems);
      const found: CheckedProofs = { verified: new Map(), reasons: new Map(), halt: null, problems, trust: null };
      const proved = checkKeys(read, found);
      for (let index = (found.halt?.index ?? read.length) - 1; index > proved; index--) {
        if (!found.reasons.has(index) && verify(read, index, found)) break;
      }
      found.trust = trust && toStoredTrust(trust);
      return found;
    },
  };
}

type Read = { block: BlockToProve; publications: Publication[] };

function readPublications(contents: readonly Uint8Array[]): { publications: Publication[]; problems: string[] } {
  const publications: Publication[] = [];
  const problems: string[] = [];
  for (const content of contents) {
    try {
      publications.push(readPublication(content));
    } catch (error) {
      if (!(error instanceof ProofRefusal)) throw error;
      problems.push(`a ledger id was published that cannot be trusted: ${error.message}`);
    }
  }
  return { publications, problems };
}
