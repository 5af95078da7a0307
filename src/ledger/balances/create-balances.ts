// Balances of many accounts, in hbar or in one token: now or of a snapshot.
import { isAnyRange, isEmptyRange, type Range } from '../../kit/range.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import {
  type BalancesFilter,
  selectBalances,
  selectBalancesAt,
  selectTokenBalances,
  selectTokenBalancesAt,
  type TokenBalancesFilter,
} from '../../store/read/select-balances.ts';
import type { Database } from '../../store/wire/database.ts';
import { toPage, whereEvery } from '../question/page.ts';
import { createSnapshotSearch } from './snapshot-search.ts';

/** Of the snapshot; without any condition balances are the current ones. `eq` means at or before. */
type AtTime = { timestamp: Range };

type Options = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  system: SystemRealm;
};

export function createBalances({ db, clock, system }: Options) {
  const findSnapshot = createSnapshotSearch({ db, clock, system });
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
    const snapshot = keys.size > 1 ? null : await findSnapshot(query.timestamp);
    if (!snapshot) return [];
    return selectBalancesAt(db, { ...filter, snapshot, publicKey: query.publicKey[0]?.text ?? null });
  }

  async function findTokenBalances(query: TokenBalancesFilter & AtTime) {
    const filter = whereEvery(query, ['account', 'balance']);
    if (!filter) return [];
    if (isAnyRange(query.timestamp)) return selectTokenBalances(db, filter);
    const snapshot = await findSnapshot(query.timestamp);
    return snapshot ? selectTokenBalancesAt(db, { ...filter, snapshot }) : [];
  }
}

/** `timestamp`: when a balance of the page changed last, or the snapshot; ns. null if unknown. */
function toBalancesPage<T extends { account: bigint; balanceTimestamp: bigint | null }>(rows: T[], limit: number) {
  const times = rows.map((row) => row.balanceTimestamp).filter((time) => time !== null);
  const page = toPage(rows, limit, (last) => last.account);
  return { ...page, timestamp: times.reduce<bigint | null>((a, b) => (a === null || b > a ? b : a), null) };
}
