// Facts that several tables share. Rows with equal values in the distribution columns of one group lie on the same
// machine of a Citus cluster, whatever their tables.
import type { Placement } from './table.ts';

/** The rows of the transactions of a moment, the bulk of all rows. */
export const rowsOfMoment = {
  kind: 'insert',
  partitionBy: 'consensus_timestamp',
  past: { moment: 'consensus_timestamp' },
} as const;
export const versioned = { kind: 'versioned', past: 'versions' } as const;
export const upsert = { kind: 'upsert', past: 'stays' } as const;

export const withTransaction = { moment: 'consensus_timestamp' } as const;
export const withBlock = { moment: 'consensus_end' } as const;

export const byId = (by: string, reason: string): Placement => ({ kind: 'distributed', by, group: 'ids', reason });
export const byHash = (reason: string): Placement => ({ kind: 'distributed', by: 'hash', group: 'hashes', reason });
export const reference = (reason: string): Placement => ({ kind: 'reference', reason });
export const local = (reason: string): Placement => ({ kind: 'local', reason, isKnownToWorkers: true });

/** By the whole hash only: half the bytes of a B-tree, as the Hiero mirror node has it. */
export const byHashAlone = 'using hash (hash)';

// Reasons of placements.
export const paid =
  'lies with the transaction, whose payer is known wherever one is looked up by its id or on the page of an account';
export const ofContract = 'pages of one contract, and its entity on the same machine';
export const ofToken = 'a token, its fees and its entity on one machine';
export const ofOwner = 'pages of one owner';
export const ofBlock = 'small, and joined to rows of every machine';
export const ofNetwork = 'small, seldom written, and joined to each other';
