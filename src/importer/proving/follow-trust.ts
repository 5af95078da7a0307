// What is trusted, as the database knows it, beside the check of proofs, which decides about it.
import type { StoredTrust } from '../../proof/trust.ts';
import { describeLedger } from '../open/block-verification.ts';
import type { GivenTrust, ProofChecker } from './check-proofs.ts';

export function followTrust(checker: ProofChecker, given: GivenTrust) {
  let stored = given.stored;
  let isKnown = Boolean(given.stored ?? given.ledgerId ?? given.publication);
  let hasBegun = false;
  return {
    /** Throws LedgerIdError if what the operator gave is not what is trusted already. */
    async begin(): Promise<void> {
      if (hasBegun) return;
      const refusal = await checker.begin(given);
      if (refusal) throw new LedgerIdError(refusal);
      hasBegun = true;
    },
    /** A ledger is trusted: every block must be covered. */
    isKnown: () => isKnown,
    /** As the check of proofs says it. */
    note(after: StoredTrust | null): void {
      isKnown = after !== null || given.ledgerId !== null;
    },
    /** What has changed since the last change that was taken, to be stored; null = nothing. */
    takeChange(after: StoredTrust | null): StoredTrust | null {
      if (after === null || (stored && isSameTrust(stored, after))) return null;
      stored = after;
      return after;
    },
    describe(): string {
      const ledgerId = stored?.ledgerId ?? given.ledgerId;
      return ledgerId ? describeLedger({ ledgerId, origin: stored?.origin ?? 'pinned' }) : 'its ledger';
    },
  };
}

class LedgerIdError extends Error {
  override name = 'LedgerIdError';

  constructor({ check, expected, found }: { check: string; expected: string; found: string }) {
    super(
      `What was given as the ledger's id or publication cannot be trusted: ${check}: expected ${expected}, found ${found}. ` +
        'Leave --ledger-id and --ledger-publication out if the database is right, or import the other network into an empty database.',
    );
  }
}

function isSameTrust(one: StoredTrust, other: StoredTrust): boolean {
  return (
    one.origin === other.origin &&
    one.rotation?.steps === other.rotation?.steps &&
    Buffer.compare(one.wrapsKey ?? none, other.wrapsKey ?? none) === 0 &&
    Buffer.compare(one.publication ?? none, other.publication ?? none) === 0
  );
}

const none = new Uint8Array();
