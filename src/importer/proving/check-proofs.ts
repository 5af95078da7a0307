// Checks the network's proofs of consecutive blocks, and follows what the stream says of its ledger. Made of messages, so that it
// can run in a thread: what is trusted stays here, and goes out as it is stored.
// Invariant: a key that a block names, and a ledger id that it publishes, count once a signature covers the block whose key was
// trusted without that block (follow-ledger.ts). So blocks are taken in order, and where the key changes the signatures of the key
// before are looked at first: the new key never proves the block that names it.
import { randomBytes } from 'node:crypto';
import { hashHintsKey } from '../../proof/hash-hints-key.ts';
import { ProofRefusal, type Refusal } from '../../proof/proof-refusal.ts';
import type { StoredTrust } from '../../proof/trust.ts';
import {
  type BlockToProve,
  createProofVerifier,
  type KeyStanding,
  type KeyUnproved,
  type Verified,
} from '../../proof/verify-block-proof.ts';
import { createLedgerFollower, type SaidOfLedger } from './follow-ledger.ts';
import type { NamedKey, UnreadPublication } from './ledger-change.ts';
import { readPublications } from './read-publications.ts';
import type { GivenTrust, Handover } from './trust-holder.ts';

export type { GivenTrust, Handover } from './trust-holder.ts';

/** `publications`: messages of transactions in it that published a ledger id. `namedKeys`: hinTS keys in its state changes. */
export type BlockToCheck = Omit<BlockToProve, 'publishedIds'> & {
  publications: readonly Uint8Array[];
  namedKeys: readonly Uint8Array[];
};

/** Why the block at this index must not be imported, whatever follows it. `code`: what is asked of the operator. */
export type Halt = { index: number; refusal: Refusal; code: 'networkProof' | 'unknownKey' | 'unknownPublication' };

/** What is known of the ledger after some blocks. */
export type AfterBlocks = {
  trust: StoredTrust | null;
  unread: UnreadPublication | null;
  /** Named by blocks that only signatures of a key cover which nothing vouches for. */
  unprovedKeys: readonly NamedKey[];
  /** Ledger ids that took the place of others, in order. */
  handovers: Handover[];
  problems: string[];
  halt: Halt | null;
};

export type CheckedProofs = AfterBlocks & {
  /** By index: the verdict of blocks whose signature was checked. */
  verified: Map<number, Verified | KeyUnproved>;
  /** By index: why the block has no good proof, and whether what it would be checked with is missing. */
  reasons: Map<number, { reason: string; lacksTrust: boolean }>;
};

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
  takeSigned(block: { number: bigint; publications: readonly Uint8Array[] }): AfterBlocks;
  /** Every key is checked, and as many signatures, from the last block on, as it takes to find a good one. */
  check(blocks: readonly BlockToCheck[]): CheckedProofs;
};

/** Nothing after the block makes these good: its proof, or what it publishes, is of another ledger or of an old key. */
const halting: ReadonlySet<Refusal['check']> = new Set([
  'attestation',
  'ledgerId',
  'wrapsKey',
  'rotation',
  'unknownForm',
]);

type Read = { block: BlockToProve; said: SaidOfLedger };

export function createProofChecker(): ProofChecker<'value'> {
  const verifier = createProofVerifier({ random: randomBytes });
  const ledger = createLedgerFollower();

  function refuse(index: number, error: unknown, found: CheckedProofs): void {
    const refusal = ledger.refusalOf(error);
    found.reasons.set(index, { reason: describe(refusal), lacksTrust: false });
    if (!halting.has(refusal.check)) return;
    found.halt = { index, refusal, code: refusal.check === 'unknownForm' ? 'unknownPublication' : 'networkProof' };
  }

  /** Whether the block has a good proof; notes what was found, and what follows for the ledger. */
  function verify({ block }: Read, index: number, found: CheckedProofs): boolean {
    const { verdict, trust } = verifier.verify(block, ledger.trust());
    if (verdict.state === 'unchecked') found.reasons.set(index, verdict);
    else if (verdict.state === 'refused') refuse(index, new ProofRefusal(verdict), found);
    else {
      try {
        found.handovers.push(...ledger.cover(block.number, verdict, trust));
        found.verified.set(index, verdict);
        return true;
      } catch (error) {
        refuse(index, error, found);
      }
    }
    return false;
  }

  /** From the last block before `end` on, down to the one after `covered`. Returns the index of the one with a good proof, else `covered`. */
  function coverBefore(blocks: readonly Read[], end: number, covered: number, found: CheckedProofs): number {
    for (let index = end - 1; index > covered; index--) {
      if (!found.reasons.has(index) && verify(blocks[index]!, index, found)) return index;
    }
    return covered;
  }

  /**
   * The key of a block is not trusted. Where keys are followed, that stops the import, unless an earlier block names the key that no
   * signature covers yet, or the signature is of a later block: then the block waits.
   */
  function judgeUnproved({ block }: Read, index: number, found: CheckedProofs): void {
    if (!ledger.isFollowed()) return;
    const { verdict } = verifier.verify(block, ledger.trust());
    if (verdict.state === 'refused') refuse(index, new ProofRefusal(verdict), found);
    if (verdict.state !== 'unproved') return;
    const refusal = ledger.refusalOfKey(verdict.keyHash);
    const namedBy = ledger.findNaming(verdict.keyHash, block.number);
    const reason = `${describe(refusal)}${namedBy === null ? '' : `: block ${namedBy} names it, which no signature covers by a key that was trusted before`}`;
    found.reasons.set(index, { reason, lacksTrust: false });
    if (namedBy === null && verdict.kind === 'signed') found.halt = { index, refusal, code: 'unknownKey' };
  }

  /** open: blocks before it name keys, and are to be covered first: one of them may be the key, or the old key again. Throws ProofRefusal. */
  function attest(block: BlockToProve, hasNamed: boolean): KeyStanding | 'open' | null {
    const trust = ledger.trust();
    try {
      const standing = trust && verifier.attest(block, trust);
      return standing === 'unproved' && hasNamed ? 'open' : standing;
    } catch (error) {
      if (hasNamed && error instanceof ProofRefusal && error.refusal.check === 'rotation') return 'open';
      throw error;
    }
  }

  /** Returns the index of the last block that is covered. */
  function checkKey(blocks: readonly Read[], index: number, covered: number, found: CheckedProofs): number {
    const read = blocks[index]!;
    ledger.note(read.block.number, read.said);
    let [standing, before] = [attest(read.block, ledger.hasNamed()), covered];
    if (standing === 'open') {
      before = coverBefore(blocks, index, covered, found);
      standing = attest(read.block, false);
    }
    if (standing === 'unproved') judgeUnproved(read, index, found);
    // A change of keys counts where the signature is good, which is once a day; a further ledger id where the block is proved.
    const isDue = standing === 'news' || (standing !== null && ledger.hasForeign(read.block.number));
    return isDue && !found.reasons.has(index) && verify(read, index, found) ? index : before;
  }

  /** In order, until one that must not be imported. Returns the index of the last block that is covered on the way, else −1. */
  function checkKeys(blocks: readonly Read[], found: CheckedProofs): number {
    let covered = -1;
    for (const [index, { block }] of blocks.entries()) {
      try {
        ledger.refuseWithout();
        covered = checkKey(blocks, index, covered, found);
      } catch (error) {
        const isOther = error instanceof ProofRefusal && halting.has(error.refusal.check);
        // Its proof is of the ledger that it publishes, which the one before does not vouch for.
        refuse(index, (isOther && ledger.refusalOfForeign(block.number)) || error, found);
      }
      if (found.halt) break;
    }
    return covered;
  }

  return {
    begin: ledger.begin,
    takeSigned({ number, publications }) {
      const read = readPublications(publications);
      const found = createFound(read.problems);
      try {
        found.handovers.push(...ledger.takeRecords(number, read));
      } catch (error) {
        found.halt = { index: 0, refusal: ledger.refusalOf(error), code: 'networkProof' };
      }
      return { ...found, ...ledger.known() };
    },
    check(asked) {
      const blocks = asked.map(toRead);
      const found = createFound(blocks.flatMap(({ said }) => said.problems));
      const covered = checkKeys(blocks, found);
      coverBefore(blocks, found.halt?.index ?? blocks.length, covered, found);
      return { ...found, ...ledger.known() };
    },
  };
}

function createFound(problems: string[]): CheckedProofs {
  const nothing = { trust: null, unread: null, unprovedKeys: [], handovers: [], halt: null };
  return { ...nothing, verified: new Map(), reasons: new Map(), problems };
}

function toRead({ publications, namedKeys, ...block }: BlockToCheck): Read {
  const read = readPublications(publications);
  const publishedIds = read.publications.map(({ ledgerId }) => ledgerId);
  return { block: { ...block, publishedIds }, said: { ...read, keyHashes: namedKeys.map(hashHintsKey) } };
}

function describe({ check, expected, found }: Refusal): string {
  return `${check}: expected ${expected}, found ${found}`;
}
