import { afterAll, beforeAll, expect, it } from 'vitest';
import { proto, toLong } from '../../../packages/protocol/hapi/hapi.ts';
import { noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { createLedger } from '../../ledger/create-ledger.ts';
import { createNewestRate } from './newest-rate.ts';

const changes = 1_700_000_000_000_000_000n;
const [cents, later] = [12, 13].map((centEquiv) => ({
  ...{ hbarEquiv: 1, centEquiv },
  expirationTime: { seconds: toLong(changes / 1_000_000_000n) },
}));
const file_data = proto.ExchangeRateSet.encode({ currentRate: cents!, nextRate: later! }).finish();
const writtenAt = 1_600_000_000_000_000_000n;

let stored: StoredRows;
beforeAll(async () => {
  stored = await storeRows([
    {
      table: 'file_data',
      row: { consensus_timestamp: writtenAt, entity_id: 112n, transaction_type: 19n, file_data },
    },
  ]);
});
afterAll(() => stored?.close());

it('is asked once a block, with the end of the block', async () => {
  const { clock, system } = defaultHttpSettings;
  const ledger = createLedger({ db: stored.db, clock, system });
  let questions = 0;
  const exchangeRate: typeof ledger.network.exchangeRate = (within) => {
    questions += 1;
    return ledger.network.exchangeRate(within);
  };
  const counted = { newestEnd: ledger.newestEnd, network: { exchangeRate } };
  const blocks = { ...noBlockWatch, turn: 1, newestEnd: changes - 1n };
  const newestRate = createNewestRate(blocks);
  const seen: unknown[] = [];
  const ask = async (): Promise<void> => {
    const found = await newestRate(counted);
    seen.push([found?.file.nextRate.centEquivalent, found?.file.timestamp, found?.end, questions]);
  };
  await ask();
  await ask();
  Object.assign(blocks, { turn: 2, newestEnd: changes });
  await ask();
  await ask();
  expect(seen).toEqual([
    [13, writtenAt, changes - 1n, 1],
    [13, writtenAt, changes - 1n, 1],
    [13, writtenAt, changes, 2],
    [13, writtenAt, changes, 2],
  ]);
});
