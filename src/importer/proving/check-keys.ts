// The keys of consecutive blocks in order, and as many signatures as it takes to know whose they are.
import { ProofRefusal, type Refusal } from '../../../packages/proof/proof-refusal.ts';
import type { BlockToProve, KeyStanding, ProofVerifier } from '../../../packages/proof/verify-block-proof.ts';
import type { CheckedProofs } from './checked-proofs.ts';
import type { LedgerFollower, SaidOfLedger } from './follow-ledger.ts';

/** A block, and what it says of its ledger. */
export type ReadBlock = { block: BlockToProve; said: SaidOfLedger };

export type Check = {
  blocks: readonly ReadBlock[];
  verifier: ProofVerifier;
  ledger: LedgerFollower;
  /** What is found is added. */
  found: CheckedProofs;
};

/** Nothing after the block makes these good: its proof, or what it publishes, is of another ledger or of an old key. */
const halting: ReadonlySet<Refusal['check']> = new Set([
  'attestation',
  'ledgerId',
  'wrapsKey',
  'rotation',
  'unknownForm',
]);

/**
 * In order, until one that must not be imported. Returns the index of the last block that is covered on the way, else
 * −1.
 */
export function checkKeys(check: Check): number {
  const { blocks, ledger, found } = check;
  let covered = -1;
  for (const [index, { block }] of blocks.entries()) {
    try {
      ledger.refuseWithout();
      covered = checkKey(check, index, covered);
    } catch (error) {
      const isOther = error instanceof ProofRefusal && halting.has(error.refusal.check);
      // Its proof is of the ledger that it publishes, which the one before does not vouch for.
      refuse(check, index, (isOther && ledger.refusalOfForeign(block.number)) || error);
    }
    if (found.halt) break;
  }
  return covered;
}

/**
 * From the last block before `end` on, down to the one after `covered`. Returns the index of the one with a good proof,
 * else `covered`.
 */
export function coverBefore(check: Check, end: number, covered: number): number {
  for (let index = end - 1; index > covered; index--) {
    if (!check.found.reasons.has(index) && verify(check, index)) return index;
  }
  return covered;
}

/** Returns the index of the last block that is covered. Throws ProofRefusal. */
function checkKey(check: Check, index: number, covered: number): number {
  const { blocks, ledger, found } = check;
  const { block, said } = blocks[index]!;
  ledger.note(block.number, said);
  let [standing, before] = [attest(check, block, ledger.hasNamed()), covered];
  if (standing === 'open') {
    before = coverBefore(check, index, covered);
    standing = attest(check, block, false);
  }
  if (standing === 'unproved') judgeUnproved(check, index);
  // A change of keys counts where the signature is good, which is once a day; a further ledger id where the block is
  // proved.
  const isDue = standing === 'news' || (standing !== null && ledger.hasForeign(block.number));
  return isDue && !found.reasons.has(index) && verify(check, index) ? index : before;
}

/**
 * open: blocks before it name keys, and are to be covered first: one of them may be the key, or the old key again.
 * Throws ProofRefusal.
 */
function attest({ verifier, ledger }: Check, block: BlockToProve, hasNamed: boolean): KeyStanding | 'open' | null {
  const trust = ledger.trust();
  try {
    const standing = trust && verifier.attest(block, trust);
    return standing === 'unproved' && hasNamed ? 'open' : standing;
  } catch (error) {
    if (hasNamed && error instanceof ProofRefusal && error.refusal.check === 'rotation') return 'open';
    throw error;
  }
}

/**
 * The key of a block is not trusted. Where keys are followed, that stops the import, unless an earlier block names the
 * key that no signature covers yet, or the signature is of a later block: then the block waits.
 */
function judgeUnproved(check: Check, index: number): void {
  const { blocks, verifier, ledger, found } = check;
  const { block } = blocks[index]!;
  if (!ledger.isFollowed()) return;
  const { verdict } = verifier.verify(block, ledger.trust());
  if (verdict.state === 'refused') refuse(check, index, new ProofRefusal(verdict));
  if (verdict.state !== 'unproved') return;
  const refusal = ledger.refusalOfKey(verdict.keyHash);
  const namedBy = ledger.findNaming(verdict.keyHash, block.number);
  const named =
    namedBy === null ? '' : `: block ${namedBy} names it, which no signature covers by a key that was trusted before`;
  found.reasons.set(index, { reason: describe(refusal) + named, lacksTrust: false });
  if (namedBy === null && verdict.kind === 'signed') found.halt = { index, refusal, code: 'unknownKey' };
}

/** Whether the block has a good proof; notes what was found, and what follows for the ledger. */
function verify(check: Check, index: number): boolean {
  const { blocks, verifier, ledger, found } = check;
  const { block } = blocks[index]!;
  const { verdict, trust } = verifier.verify(block, ledger.trust());
  if (verdict.state === 'unchecked') found.reasons.set(index, verdict);
  else if (verdict.state === 'refused') refuse(check, index, new ProofRefusal(verdict));
  else {
    try {
      const { handovers, changes } = ledger.cover(block.number, verdict, trust);
      found.handovers.push(...handovers);
      found.changes.push(...changes);
      found.verified.set(index, verdict);
      return true;
    } catch (error) {
      refuse(check, index, error);
    }
  }
  return false;
}

function refuse({ ledger, found }: Check, index: number, error: unknown): void {
  const refusal = ledger.refusalOf(error);
  found.reasons.set(index, { reason: describe(refusal), lacksTrust: false });
  if (!halting.has(refusal.check)) return;
  found.halt = { index, refusal, code: refusal.check === 'unknownForm' ? 'unknownPublication' : 'networkProof' };
}

function describe({ check, expected, found }: Refusal): string {
  return `${check}: expected ${expected}, found ${found}`;
}
