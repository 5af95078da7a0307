import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { usualRealm } from '../../protocol/hapi/system-entity.ts';
import type { Database } from '../../store/wire/database.ts';
import { createGasPrices } from './gas-prices.ts';

const hour = 3_600n;
const ns = 1_000_000_000n;

const rates = (hbarEquiv: number, centEquiv: number, expiry: bigint, next?: [number, number]) =>
  Buffer.from(
    proto.ExchangeRateSet.encode({
      currentRate: { hbarEquiv, centEquiv, expirationTime: { seconds: Number(expiry) } },
      nextRate: next ? { hbarEquiv: next[0], centEquiv: next[1], expirationTime: { seconds: 9e9 } } : null,
    } as unknown as proto.IExchangeRateSet).finish(),
  );

const schedule = (gas: number, expiry: bigint, nextGas?: number) => {
  const of = (price: number, seconds: number) => ({
    transactionFeeSchedule: [
      { hederaFunctionality: proto.HederaFunctionality.CryptoTransfer, fees: [{ servicedata: { gas: 1 } }] },
      { hederaFunctionality: proto.HederaFunctionality.ContractCall, fees: [{ servicedata: { gas: price } }] },
    ],
    expiryTime: { seconds },
  });
  return Buffer.from(
    proto.CurrentAndNextFeeSchedule.encode({
      currentFeeSchedule: of(gas, Number(expiry)),
      nextFeeSchedule: nextGas === undefined ? null : of(nextGas, 9e9),
    } as unknown as proto.ICurrentAndNextFeeSchedule).finish(),
  );
};

/** [file, second it is written in, type, content] */
const files: [bigint, bigint, number, Buffer][] = [
  [111n, 10n, 17, schedule(852_000, 100n * hour, 1_704_000).subarray(0, 9)],
  [111n, 11n, 16, schedule(852_000, 100n * hour, 1_704_000).subarray(9)],
  [112n, 12n, 17, rates(30_000, 285_576, 3n * hour, [1, 1])],
  // Written in hour 5 and broken: later queries get the version before.
  [112n, 5n * hour + 1n, 19, Buffer.from('ffff', 'hex')],
  [112n, 7n * hour + 10n, 19, rates(6, 1, 99n * hour)],
  // In hour 200 one gas costs far less than a tinybar.
  [111n, 200n * hour + 1n, 19, schedule(1, 9_000_000_000n)],
  [112n, 200n * hour + 2n, 19, rates(1, 1_000_000, 9_000_000_000n)],
];

let stored: StoredRows;

beforeAll(async () => {
  const rows = files.map(([entity_id, second, transaction_type, file_data]) => ({
    table: 'file_data',
    row: { entity_id, consensus_timestamp: second * ns, transaction_type, file_data },
  }));
  stored = await storeRows(rows);
});

afterAll(async () => {
  await stored?.close();
});

describe('gas price', () => {
  it.each([
    ['before the files', 5n, null],
    ['in the hour that wrote them', 20n, 89n],
    ['with appended schedule and current rate', hour, 89n],
    ['with the rate at the start of the hour', 3n * hour + 1n, 89n],
    ['before an update in its hour', 7n * hour + 9n, 852n],
    ['after an update in its hour', 7n * hour + 10n, 5112n],
    ['with the next rate', 4n * hour, 852n],
    ['with the version before a broken one', 6n * hour, 852n],
    ['with the next schedule', 101n * hour, 1704n],
    ['is at least one tinybar', 201n * hour, 1n],
  ])('%s', async (_name, second, price) => {
    const prices = createGasPrices({ db: stored.db, system: usualRealm });
    expect(await prices.at(second * ns + 7n)).toBe(price);
  });

  it('is null without a fee schedule', async () => {
    const prices = createGasPrices({ db: stored.db, system: { shard: 0n, realm: 1n } });
    expect(await prices.at(6n * hour * ns)).toBeNull();
  });

  it('is read once an hour, and dropped if there are too many hours', async () => {
    let queries = 0;
    const counting: Database = {
      ...stored.db,
      query: (query) => {
        queries++;
        return stored.db.query(query);
      },
    };
    const prices = createGasPrices({ db: counting, system: usualRealm, maxHours: 2 });
    const ask = async (hours: bigint[]) => {
      queries = 0;
      for (const at of hours) await prices.at(at * hour * ns);
      return queries;
    };
    expect(await ask([1n, 1n, 2n, 1n])).toBe(4);
    expect(await ask([3n])).toBe(2);
    expect(await ask([2n, 3n])).toBe(0);
    expect(await ask([1n])).toBe(2);
  });

  it('of a page of results takes one query for the changes within their hour', async () => {
    const asked: string[] = [];
    const listening: Database = {
      ...stored.db,
      query: (query) => {
        asked.push(query.name);
        return stored.db.query(query);
      },
    };
    const prices = createGasPrices({ db: listening, system: usualRealm });
    const page = await Promise.all([1n, 9n, 10n, 11n].map((second) => prices.at((7n * hour + second) * ns)));
    expect(page).toEqual([852n, 852n, 5112n, 5112n]);
    expect(asked.filter((name) => name === 'select-file-changes')).toHaveLength(2);
    expect(await prices.at((7n * hour + 12n) * ns)).toBe(5112n);
    expect(asked.filter((name) => name === 'select-file-changes')).toHaveLength(4);
  });

  it('asks again after a failure', async () => {
    let fails = true;
    const flaky: Database = {
      ...stored.db,
      query: (query) => (fails ? Promise.reject(new Error('connection lost')) : stored.db.query(query)),
    };
    const prices = createGasPrices({ db: flaky, system: usualRealm });
    await expect(prices.at(hour * ns)).rejects.toThrow('connection lost');
    fails = false;
    expect(await prices.at(hour * ns)).toBe(89n);
  });
});
