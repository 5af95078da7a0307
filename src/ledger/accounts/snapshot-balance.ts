// What an account held as of T, by the balance snapshots.
import type { Range } from '../../kit/range.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { selectSnapshotBalance, selectSnapshotTokens } from '../../store/read/select-balance-snapshot.ts';
import type { Database } from '../../store/wire/database.ts';
import { createSnapshotSearch } from '../balances/snapshot-search.ts';
import type { AccountBalance } from './account.ts';

type Options = { db: Database; clock: () => bigint; system: SystemRealm };

export function createSnapshotBalance({ db, clock, system }: Options) {
  const findSnapshot = createSnapshotSearch({ db, clock, system });

  /** null = no snapshot meets the conditions; a balance of null = the account is in none of them. */
  return async (id: bigint, range: Range, tokenLimit: number): Promise<AccountBalance | null> => {
    const snapshot = await findSnapshot(range);
    if (snapshot === null) return null;
    const [balance, tokens] = await Promise.all([
      selectSnapshotBalance(db, id, snapshot.from, snapshot.at),
      selectSnapshotTokens(db, id, snapshot.from, snapshot.at, tokenLimit),
    ]);
    return { balance, timestamp: snapshot.at, tokens };
  };
}
