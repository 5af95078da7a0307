// An account's stored holding of a token before this block, for the few rules that depend on it. Like names, holdings
// are asked for synchronously: an unknown one is noted and fetched, and the pass is repeated.

import type { StoredHolding } from '../../../packages/store/read/state/select-holding.ts';

export type StoredHoldings = {
  holding(accountId: bigint, tokenId: bigint): StoredHolding;
};

export type BlockHoldings = StoredHoldings & {
  hasMissing(): boolean;
  fetchMissing(): Promise<void>;
};

/** `before`: ns; what came later does not count, although it may be stored. */
export type SelectHolding = (accountId: bigint, tokenId: bigint, before: bigint) => Promise<StoredHolding>;

/**
 * Holdings for one block, as of before its first moment (ns); fetched ones serve all passes over it and no other block.
 */
export function createBlockHoldings(selectHolding: SelectHolding, before: bigint): BlockHoldings {
  const known = new Map<string, StoredHolding>();
  const missing = new Map<string, { accountId: bigint; tokenId: bigint }>();
  return {
    holding: (accountId, tokenId) => {
      const key = `${accountId},${tokenId}`;
      const found = known.get(key);
      if (found) return found;
      missing.set(key, { accountId, tokenId });
      return { associated: false, nonFungible: false, serialNumbers: [] };
    },
    hasMissing: () => missing.size > 0,
    fetchMissing: async () => {
      for (const [key, { accountId, tokenId }] of missing) {
        known.set(key, await selectHolding(accountId, tokenId, before));
      }
      missing.clear();
    },
  };
}
