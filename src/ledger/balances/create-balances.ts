// Balances of many accounts, in hbar or in one token: as they are now or as of a snapshot.

import { everyCondition, isAnyRange, isEmptyRange, type Range } from '../../kit/range.ts';
import type { TextCondition } from '../../kit/text-condition.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import {
  type BalanceRow,
  selectBalances,
  selectBalancesAt,
  selectTokenBalances,
  selectTokenBalancesAt,
  type TokenBalanceOfAccountRow,
} from '../../store/read/select-balances.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';
import { createSnapshotSearch } from './snapshot-search.ts';

/** Tinybar, and smallest units of the tokens. */
export type Balance = {
  accountId: bigint;
  balance: bigint | null;
  tokens: { tokenId: bigint; balance: bigint }[];
};

export type TokenBalance = {
  accountId: bigint;
  /** Smallest units. */
  balance: bigint;
  /** null where the token is not known. */
  decimals: bigint | null;
};

export type BalancesPage<T> = Page<T> & {
  /** When a balance of the page changed last, or the snapshot; ns. null where nothing says. */
  timestamp: bigint | null;
};

type PageQuery = {
  /** Every condition must hold. */
  balance: Range;
  /** Of the snapshot; without any condition balances are those of now. `eq` means at or before. */
  timestamp: Range;
  order: 'asc' | 'desc';
  limit: number;
};

/** Of several exact accounts any counts. */
export type BalancesQuery = PageQuery & {
  account: Range;
  /** All must hold. */
  publicKey: readonly TextCondition[];
  /** Longest list of token balances of one account. */
  tokenBalanceLimit: number;
};

/** Every condition on the account must hold. */
export type TokenBalancesQuery = PageQuery & { tokenId: bigint; account: Range; publicKey: TextCondition | null };

type Options = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  system: SystemRealm;
};

export function createBalances({ db, clock, system }: Options) {
  const findSnapshot = createSnapshotSearch({ db, clock, system });
  return {
    /** By account. */
    async list(query: BalancesQuery): Promise<BalancesPage<Balance>> {
      const filter = { ...query, balance: everyCondition(query.balance) };
      if (isEmptyRange(filter.account) || isEmptyRange(filter.balance)) return nothing;
      if (isAnyRange(query.timestamp)) return toBalancesPage(await selectBalances(db, filter), query.limit, toBalance);
      const keys = new Set(query.publicKey.map(({ text }) => text));
      const snapshot = keys.size > 1 ? null : await findSnapshot(query.timestamp);
      if (!snapshot) return nothing;
      const publicKey = query.publicKey[0]?.text ?? null;
      return toBalancesPage(await selectBalancesAt(db, { ...filter, snapshot, publicKey }), query.limit, toBalance);
    },
    /** By account. */
    async listOfToken(query: TokenBalancesQuery): Promise<BalancesPage<TokenBalance>> {
      const filter = { ...query, account: everyCondition(query.account), balance: everyCondition(query.balance) };
      if (isEmptyRange(filter.account) || isEmptyRange(filter.balance)) return nothing;
      if (isAnyRange(query.timestamp)) {
        return toBalancesPage(await selectTokenBalances(db, filter), query.limit, toTokenBalance);
      }
      const snapshot = await findSnapshot(query.timestamp);
      if (!snapshot) return nothing;
      return toBalancesPage(await selectTokenBalancesAt(db, { ...filter, snapshot }), query.limit, toTokenBalance);
    },
  };
}

const nothing: BalancesPage<never> = { ...emptyPage, timestamp: null };

function toBalancesPage<R extends { balanceTimestamp: bigint | null }, T extends { accountId: bigint }>(
  rows: readonly R[],
  limit: number,
  toItem: (row: R) => T,
): BalancesPage<T> {
  const times = rows.map((row) => row.balanceTimestamp).filter((time) => time !== null);
  const page = toPage(rows.map(toItem), limit, (last) => last.accountId);
  return { ...page, timestamp: times.reduce<bigint | null>((a, b) => (a === null || b > a ? b : a), null) };
}

function toBalance(row: BalanceRow): Balance {
  return { accountId: row.accountId, balance: row.balance, tokens: row.tokens };
}

function toTokenBalance(row: TokenBalanceOfAccountRow): TokenBalance {
  return { accountId: row.accountId, balance: row.balance, decimals: row.decimals };
}
