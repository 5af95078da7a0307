// The balance of an account at any moment: that of the snapshot before it, and every transfer since; before the first
// snapshot the current one, less every transfer after the moment.

import { anyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectSnapshotBalance } from '../../../packages/store/read/select-balance-snapshot.ts';
import {
  type ChainEntity,
  selectBalanceChange,
  selectChainEntity,
} from '../../../packages/store/read/select-chain-entity.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { findSnapshot, toSnapshotSearch } from '../balances/snapshot-search.ts';

type Options = { db: Database; system: SystemRealm; clock: () => bigint };

/** tinybar; `upTo`: ns */
export function askPastBalance(
  { db, system, clock }: Options,
  { id, createdTimestamp }: ChainEntity,
  upTo: bigint,
): Promise<bigint> {
  if (createdTimestamp !== null && createdTimestamp > upTo) return Promise.resolve(0n);
  const search = toSnapshotSearch({ ...anyRange, to: upTo }, { clock, system });
  return db.snapshot(async (own) => {
    const snapshot = search && (await findSnapshot(own, search));
    if (!snapshot) {
      const [now, later] = await Promise.all([
        selectChainEntity(own, { kind: 'id', id }),
        selectBalanceChange(own, id, { from: upTo, to: latestMoment }),
      ]);
      return (now?.balance ?? 0n) - later;
    }
    const [held, change] = await Promise.all([
      selectSnapshotBalance(own, id, snapshot),
      selectBalanceChange(own, id, { from: snapshot.at, to: upTo }),
    ]);
    return (held ?? 0n) + change;
  });
}
