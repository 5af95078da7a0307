// What is asked of the check of proofs, and what it finds.
import type { Refusal } from '../../../packages/proof/proof-refusal.ts';
import type { BlockToProve, KeyUnproved, Verified } from '../../../packages/proof/verify-block-proof.ts';
import type { KnownLedger, LedgerAt } from './ledger-change.ts';
import type { Handover } from './trust-holder.ts';

/**
 * `publications`: messages of transactions in it that published a ledger id. `namedKeys`: hinTS keys in its state
 * changes.
 */
export type BlockToCheck = Omit<BlockToProve, 'publishedIds'> & {
  publications: readonly Uint8Array[];
  namedKeys: readonly Uint8Array[];
};

/** Why the block at this index must not be imported, whatever follows it. `code`: what is asked of the operator. */
export type Halt = { index: number; refusal: Refusal; code: 'networkProof' | 'unknownKey' | 'unknownPublication' };

/** With what is known of the ledger after the blocks. */
export type AfterBlocks = KnownLedger & {
  /** Ledger ids that took the place of others, in order. */
  handovers: Handover[];
  problems: string[];
  halt: Halt | null;
};

export type CheckedProofs = AfterBlocks & {
  /** In order: what covered blocks have changed, each since it. A kill may come behind any of them. */
  changes: LedgerAt[];
  /** By index: the verdict of blocks whose signature was checked. */
  verified: Map<number, Verified | KeyUnproved>;
  /** By index: why the block has no good proof, and whether what it would be checked with is missing. */
  reasons: Map<number, { reason: string; lacksTrust: boolean }>;
};

/** Nothing is found yet. */
export function createFound(problems: string[]): CheckedProofs {
  const nothing = { trust: null, unread: null, unprovedKeys: [], handovers: [], halt: null };
  return { ...nothing, changes: [], verified: new Map(), reasons: new Map(), problems };
}
