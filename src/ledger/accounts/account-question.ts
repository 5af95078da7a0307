// An account now or at T: its row, its pending staking reward, and its balances.

import type { Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectAccount, selectAccountAt } from '../../../packages/store/read/select-account.ts';
import {
  selectAccountInSnapshot,
  selectSnapshotBalance,
  selectSnapshotTokens,
} from '../../../packages/store/read/select-balance-snapshot.ts';
import { findSnapshot, toSnapshotSearch } from '../balances/snapshot-search.ts';
import { beganLater } from '../extent/began-later.ts';
import { toMomentFilter, toVersionFilter } from '../question/version-filter.ts';
import type { AccountQuery } from './account.ts';
import { type Account, type AccountBalance, toAccount, toRowBalance } from './to-account.ts';

/** With the consensus end (ns) of the newest block that the answer was read with. */
export type AccountQuestion = (
  query: AccountQuery,
) => Promise<{ account: Account; lastBlockEnd: bigint | null } | null>;

type Options = { db: Database; clock: () => bigint; system: SystemRealm };

export function createAccountQuestion({ db, clock, system }: Options): AccountQuestion {
  return async ({ id, timestamp, tokenBalanceLimit, leavesOutMoments }) => {
    if (!timestamp) {
      const row = await selectAccount(db, id, tokenBalanceLimit);
      return row && { account: toAccount(row, toRowBalance(row, row.tokens)), lastBlockEnd: row.lastBlockEnd };
    }
    const filter = leavesOutMoments ? toMomentFilter(timestamp) : toVersionFilter(timestamp);
    if (filter === null) return null;
    const [row, snapshot] = await Promise.all([
      selectAccountAt(db, id, filter),
      findSnapshotBalance(id, timestamp, tokenBalanceLimit),
    ]);
    if (!row) return null;
    const balance = snapshot ?? toRowBalance(row, null);
    // An account in no snapshot held nothing, unless balances are unknown.
    if (snapshot?.balance === null && !(row.balance === null && (await beganLater(db)))) balance.balance = 0n;
    return { account: toAccount(row, balance), lastBlockEnd: row.lastBlockEnd };
  };

  /** null = no snapshot meets the conditions; a balance of null = the account is in none of them. */
  async function findSnapshotBalance(id: bigint, range: Range, tokenLimit: number): Promise<AccountBalance | null> {
    const search = toSnapshotSearch(range, { clock, system });
    if (search === null) return null;
    // In a distributed database the rows of the treasury and of the account lie on two machines.
    if (!db.isDistributed) return selectAccountInSnapshot(db, id, search, tokenLimit);
    const snapshot = await findSnapshot(db, search);
    if (snapshot === null) return null;
    const [balance, tokens] = await Promise.all([
      selectSnapshotBalance(db, id, snapshot),
      selectSnapshotTokens(db, id, snapshot, tokenLimit),
    ]);
    return { balance, timestamp: snapshot.at, tokens };
  }
}
