// The total supply of hbar, and the released supply: all but the balances of the treasury accounts.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { inRealm, type SystemRealm, systemEntityNums } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  type AccountRange,
  type SupplyRow,
  selectCurrentSupply,
  selectSupplyWithin,
} from '../../../packages/store/read/select-supply.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import type { Supply, WrittenWithin } from './network.ts';

/** 50 billion hbar. */
const totalTinybar = 5_000_000_000_000_000_000n;

/** Numbers of the accounts with unreleased hbar, from and to. */
const unreleased: readonly (readonly [bigint, bigint])[] = [
  [systemEntityNums.treasury, systemEntityNums.treasury],
  [42n, 42n],
  [44n, 71n],
  [73n, 87n],
  [99n, 100n],
  [200n, 349n],
  [400n, 750n],
];

/** Ids of a shard and realm are consecutive, as their numbers are. */
export function toUnreleasedAccounts(system: SystemRealm): AccountRange[] {
  return unreleased.map(([first, last]) => ({ first: inRealm(first, system), last: inRealm(last, system) }));
}

/** `within`: null = now. `now`: ns. */
export async function askSupply(
  { db, accounts, now }: { db: Database; accounts: readonly AccountRange[]; now: bigint },
  within: WrittenWithin | null,
): Promise<Supply | null> {
  const row = within
    ? await selectSupplyWithin(db, accounts, toSpan(within, now))
    : await selectCurrentSupply(db, accounts);
  return toSupply(row);
}

function toSupply({ balance, timestamp }: SupplyRow): Supply | null {
  if (timestamp === null || timestamp === 0n) return null;
  return { releasedTinybar: totalTinybar - balance, totalTinybar, timestamp };
}

/** From the first day of the month before the last moment's: since then there was a balance of each account. */
function toSpan({ from, to }: WrittenWithin, now: bigint): { from: bigint; to: bigint } {
  const until = to ?? latestMoment;
  const last = new Date(Number((until < now ? until : now) / 1_000_000n));
  const first = BigInt(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 1, 1)) * 1_000_000n;
  return { from: from !== null && from > first ? from : first, to: until };
}
