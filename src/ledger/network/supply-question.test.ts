import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { SetupRow } from '../../../packages/test-support/rows/setup-row.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { askSupply, toUnreleasedAccounts } from './supply-question.ts';

// Published by the mirror node: 2, 42, 44-71, 73-87, 99-100, 200-349, 400-750. These are the ends, with their
// neighbours.
const counted = [2n, 42n, 44n, 71n, 73n, 87n, 99n, 100n, 200n, 349n, 400n, 750n];
const released = [1n, 3n, 41n, 43n, 72n, 88n, 98n, 101n, 199n, 350n, 399n, 751n];
/** Ids of the last one are negative. */
const places = [
  { shard: 0n, realm: 0n },
  { shard: 11n, realm: 12n },
  { shard: 1023n, realm: 65_535n },
];
const stamp = 1_700_000_000_000_000_000n;

let stored: StoredRows;

beforeAll(async () => {
  const accounts = places.flatMap((place, index) =>
    [...counted, ...released].map((num) => ({ ...place, num, balance: balanceOf(num, index) })),
  );
  const rows: SetupRow[] = accounts.flatMap(({ shard, realm, num, balance }) => {
    const id = encodeEntityId(shard, realm, num);
    return [
      {
        table: 'entity',
        row: {
          ...{ id, num, shard, realm, type: 'ACCOUNT', memo: '', timestamp_range: '[1,)' },
          ...{ balance, balance_timestamp: num },
        },
      },
      { table: 'account_balance', row: { account_id: id, balance: balance + 5n, consensus_timestamp: stamp - 1000n } },
      { table: 'account_balance', row: { account_id: id, balance: balance + 1n, consensus_timestamp: stamp + num } },
    ];
  });
  stored = await storeRows(rows);
});
afterAll(() => stored?.close());

it.each(places.map((place, index) => ({ ...place, index })))(
  'balances of system accounts of $shard.$realm are not released',
  async ({ shard, realm, index }) => {
    const accounts = toUnreleasedAccounts({ shard, realm });
    const ask = (within: Parameters<typeof askSupply>[1]) => askSupply({ db: stored.db, accounts, now: stamp }, within);
    const held = (extra: bigint) => counted.reduce((sum, num) => sum + balanceOf(num, index) + extra, 0n);
    expect(await ask(null)).toMatchObject({ releasedTinybar: 5n * 10n ** 18n - held(0n), timestamp: 750n });
    expect(await ask({ from: null, to: null })).toMatchObject({
      releasedTinybar: 5n * 10n ** 18n - held(1n),
      timestamp: stamp + 750n,
    });
    expect(await ask({ from: null, to: stamp })).toMatchObject({
      releasedTinybar: 5n * 10n ** 18n - held(5n),
      timestamp: stamp - 1000n,
    });
  },
);

/** All sums of them differ. */
function balanceOf(num: bigint, place: number): bigint {
  return 2n ** BigInt([...counted, ...released].indexOf(num)) * BigInt(1000 + place);
}
