// Balances of many accounts, in hbar or in one token: now or of a snapshot.

import { isAnyRange, isEmptyRange, type Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { Snapshot, SnapshotSearch } from '../../../packages/store/read/select-balance-snapshot.ts';
import {
  type BalancesFilter,
  selectBalances,
  selectBalancesAt,
  selectTokenBalances,
  selectTokenBalancesAt,
  type TokenBalancesFilter,
} from '../../../packages/store/read/select-balances.ts';
import {
  selectFirstBalancesAt,
  selectFirstTokenBalancesAt,
} from '../../../packages/store/read/select-first-balances.ts';
import { toPage, whereEvery } from '../question/page.ts';
import { findSnapshot, toSnapshotSearch } from './snapshot-search.ts';

/** Of the snapshot; without any condition balances are the current ones. `eq` means at or before. */
type AtTime = { timestamp: Range };

type Options = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  system: SystemRealm;
};

export function createBalances({ db, clock, system }: Options) {
  const toSearch = (range: Range) => toSnapshotSearch(range, { clock, system });
  return {
    /** By account; several exact ids are alternatives, every other condition must hold. */
    async list(query: BalancesFilter & AtTime) {
      return toBalancesPage(await findBalances(query), query.limit);
    },
    /** By account; every condition must hold. */
    async listOfToken(query: TokenBalancesFilter & AtTime) {
      return toBalancesPage(await findTokenBalances(query), query.limit);
    },
  };

  async function findBalances(query: BalancesFilter & AtTime) {
    const filter = whereEvery(query, ['balance']);
    if (!filter || isEmptyRange(filter.id)) return [];
    if (isAnyRange(query.timestamp)) return selectBalances(db, filter);
    const keys = new Set(query.publicKey.map(({ text }) => text));
    const search = keys.size > 1 ? null : toSearch(query.timestamp);
    if (!search) return [];
    const asked = { ...filter, publicKey: query.publicKey[0]?.text ?? null };
    const first = await selectFirstBalancesAt(db, { ...asked, search });
    return first ?? ofSnapshot(search, (own, snapshot) => selectBalancesAt(own, { ...asked, snapshot }));
  }

  async function findTokenBalances(query: TokenBalancesFilter & AtTime) {
    const filter = whereEvery(query, ['account', 'balance']);
    if (!filter) return [];
    if (isAnyRange(query.timestamp)) return selectTokenBalances(db, filter);
    const search = toSearch(query.timestamp);
    if (!search) return [];
    const first = await selectFirstTokenBalancesAt(db, { ...filter, search });
    return first ?? ofSnapshot(search, (own, snapshot) => selectTokenBalancesAt(own, { ...filter, snapshot }));
  }

  /** Finds the snapshot and reads it as of one moment. */
  function ofSnapshot<T>(search: SnapshotSearch, select: (own: Database, snapshot: Snapshot) => Promise<T[]>) {
    return db.snapshot(async (own) => {
      const snapshot = await findSnapshot(own, search);
      return snapshot ? select(own, snapshot) : [];
    });
  }
}

/** `timestamp`: when a balance of the page changed last, or the snapshot; ns. null if unknown. */
function toBalancesPage<T extends { account: bigint; balanceTimestamp: bigint | null }>(rows: T[], limit: number) {
  const times = rows.map((row) => row.balanceTimestamp).filter((time) => time !== null);
  const page = toPage(rows, limit, (last) => last.account);
  return { ...page, timestamp: times.reduce<bigint | null>((a, b) => (a === null || b > a ? b : a), null) };
}
