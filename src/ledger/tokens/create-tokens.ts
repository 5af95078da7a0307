// A token now or at T, in ledger values: ids packed, timestamps in ns, keys as serialized Key messages.

import { compareBigints } from '../../../packages/kit/compare-bigints.ts';
import { isEmptyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectHoldersOfFew } from '../../../packages/store/read/select-largest-holders.ts';
import type { Wanted } from '../../../packages/store/read/select-page.ts';
import { selectToken, type TokenRow } from '../../../packages/store/read/select-token.ts';
import { selectTokenSupplies } from '../../../packages/store/read/select-token-supplies.ts';
import {
  type CountedPlace,
  hasTokenTotals,
  maxUnindexedNames,
  selectTokensInOrder,
  selectTokenTotals,
  type TokenTotalRow,
} from '../../../packages/store/read/select-token-totals.ts';
import { type ListedTokenRow, selectTokens, type TokensFilter } from '../../../packages/store/read/select-tokens.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { toExpiryTimestamp } from '../question/expiry.ts';
import { askPage, toPage } from '../question/page.ts';
import { toCustomFees } from './custom-fees.ts';

export const tokenOrders = ['transfers', 'holders', 'name'] as const;
export type TokenOrder = (typeof tokenOrders)[number];

export type Token = ReturnType<typeof toToken>;

/** Every condition must hold, but several exact ids are alternatives. */
type TokensQuery = Omit<TokensFilter, 'accountId'> & {
  /** Tokens that it is associated with; null = every token, undefined = none. */
  accountId: bigint | null | undefined;
};

export function createTokens({ db }: { db: Database }) {
  return {
    /**
     * null = no such token (at that time), or it has no custom fee row. `until`: versions that began at or before this
     * moment (ns) count; null = the current one.
     */
    async find({ tokenId, until }: { tokenId: bigint; until: bigint | null }): Promise<Token | null> {
      const row = await selectToken(db, tokenId, until !== null && until > latestMoment ? latestMoment : until);
      return row && toToken(row);
    },
    /** By id. */
    list: <Name extends keyof ListedTokenRow>(query: TokensQuery & Wanted<Name>) =>
      askPage(
        query.accountId === undefined || isEmptyRange(query.id) ? null : { ...query, accountId: query.accountId },
        (filter) => selectTokens(db, filter),
        (last) => last.tokenId,
      ),
    /** How many moved and hold these, as far as it is counted: those that were moved. */
    totals: (tokenIds: readonly bigint[]): Promise<TokenTotalRow[]> =>
      tokenIds.length === 0 ? Promise.resolve([]) : selectTokenTotals(db, tokenIds),
    /** Whether it is counted how many moved and hold tokens. */
    isCounted: hasTokenTotals(db),
    /** How many of the newest tokens the order of names has; null = all. */
    maxNamed: hasTokenTotals(db) ? null : maxUnindexedNames,
    /** The most moved or the most held first, or by name. */
    async listInOrder(asked: { by: TokenOrder; after: CountedPlace | null; limit: number }) {
      const items = await selectTokensInOrder(db, asked);
      const { by } = asked;
      return toPage(
        items,
        asked.limit,
        (last): CountedPlace => ({
          count: by === 'name' ? null : last[by],
          tokenId: last.tokenId,
        }),
      );
    },
    /** How much there was since when, at most `limit` changes, the newest first. */
    listSupplies: (tokenId: bigint, limit: number) => selectTokenSupplies(db, tokenId, limit),
    /**
     * Who holds most, the largest first; null = too many hold it to be put in order. `count`: how many hold any of it.
     */
    async largestHolders(tokenId: bigint, limit: number) {
      const holders = await selectHoldersOfFew(db, tokenId, maxOrderedHolders);
      if (holders === null) return null;
      const sorted = holders.sort(
        (a, b) => compareBigints(b.balance, a.balance) || compareBigints(a.account, b.account),
      );
      return { count: holders.length, holders: sorted.slice(0, limit) };
    },
  };
}

/** More take too long to read. */
const maxOrderedHolders = 5000;

/** `expiryTimestamp`: ns; already with the fallback created + auto renew period. */
function toToken(row: TokenRow) {
  return { ...row, customFees: toCustomFees(row), expiryTimestamp: toExpiryTimestamp(row, row.createdTimestamp) };
}
