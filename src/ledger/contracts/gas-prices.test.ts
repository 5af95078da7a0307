import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  encodeClassicGas,
  encodeRates,
  encodeSimpleGas,
  fileRows,
} from '../../../packages/test-support/rows/encode-prices.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { createGasPrices } from './gas-prices.ts';

const hour = 3_600n;
const ns = 1_000_000_000n;

const rates = (hbarEquiv: number, centEquiv: number, expiry: bigint, next?: [number, number]) =>
  encodeRates({ hbarEquiv, centEquiv }, expiry, next ? { hbarEquiv: next[0], centEquiv: next[1] } : null);
const classic = encodeClassicGas(852_000, 100n * hour, 1_704_000);

/** [file, second it is written in, type, content] */
const files: [bigint, bigint, number, Buffer][] = [
  [111n, 10n, 17, classic.subarray(0, 9)],
  [111n, 11n, 16, classic.subarray(9)],
  [112n, 12n, 17, rates(30_000, 285_576, 3n * hour, [1, 1])],
  // Written in hour 5 and broken: later queries get the version before.
  [112n, 5n * hour + 1n, 19, Buffer.from('ffff', 'hex')],
  [112n, 7n * hour + 10n, 19, rates(6, 1, 99n * hour)],
  // In hour 200 one gas costs far less than a tinybar.
  [111n, 200n * hour + 1n, 19, encodeClassicGas(1, 9_000_000_000n)],
  [112n, 200n * hour + 2n, 19, rates(1, 1_000_000, 9_000_000_000n)],
  // Simple fees begin in hour 300, in two parts, the first of which cannot be read.
  [112n, 299n * hour, 19, rates(2, 3, 9_000_000_000n)],
  [113n, 300n * hour + 10n, 19, encodeSimpleGas(1000n).subarray(0, 7)],
  [113n, 300n * hour + 12n, 16, encodeSimpleGas(1000n).subarray(7)],
  // From then on this says nothing.
  [111n, 301n * hour, 19, encodeClassicGas(9_000_000, 9_000_000_000n)],
  [113n, 302n * hour + 5n, 19, encodeSimpleGas(2000n)],
  [113n, 303n * hour + 5n, 19, Buffer.from('ffff', 'hex')],
  [113n, 304n * hour + 5n, 19, encodeSimpleGas(null)],
  [113n, 305n * hour + 5n, 19, encodeSimpleGas(1n)],
  [112n, 306n * hour + 5n, 19, rates(30_000, 0, 9_000_000_000n)],
  [112n, 307n * hour + 5n, 19, rates(0, 12, 9_000_000_000n)],
];

let stored: StoredRows;

beforeAll(async () => {
  stored = await storeRows(fileRows(files));
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
    ['before simple fees, by the classic schedule', 299n * hour + 9n, 1n],
    ['while the first simple fees are not whole', 300n * hour + 11n, 1n],
    ['from the first simple fees on', 300n * hour + 12n, 666n],
    ['by simple fees, whatever the classic schedule becomes', 301n * hour + 9n, 666n],
    ['before simple fees change in its hour', 302n * hour + 4n, 666n],
    ['after simple fees have changed in its hour', 302n * hour + 5n, 1333n],
    ['by the simple fees before broken ones', 303n * hour + 9n, 1333n],
    ['by simple fees without gas', 304n * hour + 9n, null],
    ['by simple fees, at least one tinybar', 305n * hour + 9n, 1n],
    ['where an hbar has no value', 306n * hour + 9n, null],
    ['where an hbar has all value', 307n * hour + 9n, 1n],
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
    // Of each hour the exchange rate, and both schedules until there are simple fees.
    expect(await ask([1n, 1n, 2n, 1n])).toBe(6);
    expect(await ask([3n])).toBe(3);
    expect(await ask([2n, 3n])).toBe(0);
    expect(await ask([1n])).toBe(3);
    expect(await ask([301n, 302n, 301n])).toBe(4);
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
    const count = () => asked.filter((name) => name === 'select-file-changes').length;
    // Of each of the three files.
    expect(count()).toBe(3);
    expect(await prices.at((7n * hour + 12n) * ns)).toBe(5112n);
    expect(count()).toBe(6);
  });

  it('of a time with simple fees asks no more for the schedules of before', async () => {
    const asked: unknown[] = [];
    const listening: Database = {
      ...stored.db,
      query: (query) => {
        asked.push(query.values?.[0]);
        return stored.db.query(query);
      },
    };
    const prices = createGasPrices({ db: listening, system: usualRealm });
    expect(await prices.at(301n * hour * ns)).toBe(666n);
    asked.length = 0;
    expect(await prices.at((302n * hour + 9n) * ns)).toBe(1333n);
    expect(asked).toContain(113n);
    expect(asked).not.toContain(111n);
    // Of a time before, it does.
    expect(await prices.at((7n * hour + 12n) * ns)).toBe(5112n);
    expect(asked).toContain(111n);
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
