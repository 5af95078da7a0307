// What is known of the ledger, as the database knows it, beside the check of proofs, which decides about it.
import type { StoredTrust, TrustedKey } from '../../../packages/proof/trust.ts';
import { describeLedger } from '../open/block-verification.ts';
import type { ProofChecker } from './check-proofs.ts';
import type { AfterBlocks } from './checked-proofs.ts';
import type { KnownLedger, LedgerChange, NamedKey } from './ledger-change.ts';
import type { GivenTrust } from './trust-holder.ts';

export function followTrust(checker: ProofChecker, given: GivenTrust) {
  let known: KnownLedger = given.stored;
  let isKnown = Boolean(known.trust ?? given.ledgerId ?? given.ledgerKey ?? given.publication);
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
    /** Something is known of it: its blocks are checked. */
    hasHint: () => isKnown || known.unread !== null,
    /** As the check of proofs says it. */
    note({ trust }: AfterBlocks): void {
      isKnown = trust !== null || given.ledgerId !== null;
    },
    /** What has changed since the last change that was taken, to be stored; null = nothing. */
    takeChange({ trust, unread, unprovedKeys }: KnownLedger): LedgerChange | null {
      const further = unprovedKeys.filter((key) => !known.unprovedKeys.some((one) => isSameNaming(one, key)));
      const change: LedgerChange = {
        trust: trust === null || (known.trust && isSameTrust(known.trust, trust)) ? null : trust,
        ...(isSameUnread(known.unread, unread) ? {} : { unread }),
        ...(further.length > 0 ? { unprovedKeys: further } : {}),
      };
      known = { trust: trust ?? known.trust, unread, unprovedKeys };
      return change.trust || change.unread !== undefined || change.unprovedKeys ? change : null;
    },
    describe(): string {
      const ledgerId = known.trust?.ledgerId ?? given.ledgerId;
      return ledgerId ? describeLedger({ ledgerId, origin: known.trust?.origin ?? 'pinned' }) : 'its ledger';
    },
  };
}

class LedgerIdError extends Error {
  override name = 'LedgerIdError';

  constructor({ check, expected, found }: { check: string; expected: string; found: string }) {
    super(
      `What was given as the ledger's id or publication, or as a key of it, cannot be trusted: ${check}: expected ${expected}, found ${found}. ` +
        'Leave --ledger-id, --ledger-key and --ledger-publication out if the database is right, or import the other network into an empty database. ' +
        'If the network itself goes on under a new id, give both that id and its publication.',
    );
  }
}

function isSameTrust(one: StoredTrust, other: StoredTrust): boolean {
  return (
    isSame(one.ledgerId, other.ledgerId) &&
    one.origin === other.origin &&
    one.rotation?.steps === other.rotation?.steps &&
    isSame(one.wrapsKey, other.wrapsKey) &&
    isSame(one.publication, other.publication) &&
    one.keys.length === other.keys.length &&
    one.keys.every((key, index) => isSameKey(key, other.keys[index]!))
  );
}

function isSameKey(one: TrustedKey, other: TrustedKey): boolean {
  const isSameUse = one.namedLast === other.namedLast && one.signsFrom === other.signsFrom;
  return isSameNaming(one, other) && one.source === other.source && isSameUse;
}

function isSameNaming(one: Pick<TrustedKey, keyof NamedKey>, other: Pick<TrustedKey, keyof NamedKey>): boolean {
  return isSame(one.keyHash, other.keyHash) && one.block === other.block;
}

function isSameUnread(one: KnownLedger['unread'], other: KnownLedger['unread']): boolean {
  return one?.block === other?.block && one?.reason === other?.reason;
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return Buffer.compare(one ?? none, other ?? none) === 0;
}

const none = new Uint8Array();
