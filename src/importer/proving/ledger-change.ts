// What a block changes in what an import knows of its ledger, to be stored with that block.
import type { StoredTrust } from '../../../packages/proof/trust.ts';

/** A publication of a ledger id that this version cannot read, in a block that was proved. */
export type UnreadPublication = {
  /** Number of the block. */
  block: bigint;
  /** What proves the block. */
  source: 'records' | 'signedBlock';
  /** What is not known about it, for the operator. */
  reason: string;
  /** The message, which a later version may know how to read; null: it is too large to be kept. */
  content: Uint8Array | null;
};

/** The state of a block names the hash of this hinTS key, which the network will sign with. */
export type NamedKey = { keyHash: Uint8Array; block: bigint };

/** What an import knows of the ledger between its runs. */
export type KnownLedger = {
  trust: StoredTrust | null;
  /** The newest publication that could not be read, unless a later one was. */
  unread: UnreadPublication | null;
  /** Keys that stored blocks named which are not proved yet. */
  unprovedKeys: readonly NamedKey[];
};

/** What is known since this block. */
export type LedgerAt = { block: bigint; known: KnownLedger };

/** What is different since the block before. */
export type LedgerChange = {
  /** null: as before. */
  trust: StoredTrust | null;
  /** undefined: as before. */
  unread?: UnreadPublication | null;
  /** Further ones. */
  unprovedKeys?: readonly NamedKey[];
};

/** Of an empty database, or without one. */
export const unknownLedger: KnownLedger = { trust: null, unread: null, unprovedKeys: [] };
