// How many contracts of the ledger have sources.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { orNull } from '../../../packages/verification/archive/verification-archive.ts';
import { type MatchKind, selectMatchCounts } from '../../../packages/verification/store/contract-matches.ts';

/** Contracts by how their sources were found; `none`: without. */
export type MatchCounts = Record<MatchKind | 'none', bigint>;

export async function countMatches(db: Database): Promise<MatchCounts> {
  const counts = { none: 0n, checked: 0n, same_code: 0n, similar: 0n, compiled_along: 0n, minimal_proxy: 0n };
  for (const { kind, contracts } of await selectMatchCounts(db)) counts[kind || 'none'] = contracts;
  return counts;
}

export type VerifiedShare = {
  /** That were looked at. */
  contracts: bigint;
  withSources: bigint;
};

/** null = the database has no such table. */
export async function countVerifiedShare(db: Database): Promise<VerifiedShare | null> {
  const counts = await orNull(countMatches(db));
  if (counts === null) return null;
  const { none, ...matched } = counts;
  const withSources = Object.values(matched).reduce((sum, count) => sum + count, 0n);
  return { contracts: none + withSources, withSources };
}
