// Which snapshot of balances is the newest before a moment: the same for all that is asked of it.
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectSnapshotTimestamp } from '../../../packages/store/read/select-balance-snapshot.ts';
import type { Moment } from './moment.ts';

export type BalanceSnapshots = {
  /** Its consensus time, ns; 0n = there is none. */
  before(db: Database, moment: Pick<Moment, 'key' | 'until'>): Promise<bigint>;
};

export function createBalanceSnapshots(system: SystemRealm): BalanceSnapshots {
  const known = new LRUCache<string, bigint>({ max: 1000 });
  return {
    async before(db, { key, until }) {
      const found = known.get(key);
      if (found !== undefined) return found;
      const to = until!;
      const treasuryId = systemEntityId('treasury', system);
      const filter = { treasuryId, from: 0n, to, notEquals: [], months: { from: 0n, to } };
      const at = (await selectSnapshotTimestamp(db, filter)) ?? 0n;
      known.set(key, at);
      return at;
    },
  };
}
