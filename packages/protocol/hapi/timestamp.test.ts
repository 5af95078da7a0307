import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intField } from '../wire-writer.ts';
import { proto } from './hapi.ts';
import {
  epochDay,
  findInstant,
  formatInstant,
  formatSecond,
  formatTimestamp,
  maxTimestamp,
  minTimestamp,
  parseInstant,
  toTimestamp,
} from './timestamp.ts';

const timestamps = fc.bigInt({ min: 0n, max: maxTimestamp });

describe('timestamps as text', () => {
  it.each([
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [1_586_567_700_453_054_000n, '1586567700.453054000'],
    [maxTimestamp, '9223372036.854775807'],
    [-1n, '-0.000000001'],
  ])('%s → %s', (timestamp, text) => {
    expect(formatTimestamp(timestamp)).toBe(text);
  });

  it('is the number with a point in front of the last nine digits', () => {
    fc.assert(
      fc.property(timestamps, (timestamp) => {
        const [seconds, nanos] = formatTimestamp(timestamp).split('.');
        expect(nanos).toHaveLength(9);
        expect(BigInt(`${seconds}${nanos}`)).toBe(timestamp);
      }),
    );
  });
});

describe('instants in file names', () => {
  it.each([
    ['2022-07-13T08_46_11.304284003Z', 1_657_701_971_304_284_003n],
    ['2019-08-30T18_10_00.419072Z', 1_567_188_600_419_072_000n],
    ['1970-01-01T00_00_00Z', 0n],
  ])('%s is %s', (text, timestamp) => expect(parseInstant(text)).toBe(timestamp));

  it.each(['2022-07-13', '2022-13-13T08_46_11Z', '2022-07-13T08:46:11Z', '2022-07-13T08_46_11.Z', 'x'])(
    'refuses "%s"',
    (text) => expect(() => parseInstant(text)).toThrow(RangeError),
  );

  it('comes back from its text', () => {
    fc.assert(fc.property(timestamps, (timestamp) => parseInstant(formatInstant(timestamp)) === timestamp));
  });

  const digits = (max: number, length: number) =>
    fc.integer({ min: 0, max }).map((value) => String(value).padStart(length, '0'));
  const fraction = fc.stringMatching(/^(\.[0-9]{1,9})?$/);

  it('is the moment that Date.parse finds, or none where it finds none', () => {
    const parts = fc.tuple(digits(9999, 4), digits(13, 2), digits(32, 2), digits(25, 2), digits(60, 2), digits(60, 2));
    const onTheHour = fc
      .tuple(digits(9999, 4), digits(13, 2), digits(32, 2), digits(25, 2))
      .map((first) => [...first, '00', '00'] as const);
    let found = 0;
    const isSame = ([year, month, day, hour, minute, second]: readonly string[], behind: string): void => {
      const milliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      const expected = Number.isNaN(milliseconds)
        ? null
        : BigInt(milliseconds) * 1_000_000n + BigInt(behind.slice(1).padEnd(9, '0'));
      if (expected !== null) found++;
      expect(findInstant(`${year}-${month}-${day}T${hour}_${minute}_${second}${behind}Z`)).toBe(expected);
    };
    fc.assert(fc.property(fc.oneof(parts, onTheHour), fraction, isSame), { numRuns: 2_000 });
    expect(found).toBeGreaterThan(0);
    for (const year of ['0000', '0099', '1600', '1900', '1970', '2000', '2023', '2024', '9999']) {
      for (let month = 1; month <= 12; month++) {
        for (const day of ['01', '28', '29', '30', '31']) {
          isSame([year, String(month).padStart(2, '0'), day, '23', '59', '59'], '.5');
        }
      }
    }
  });
});

describe('HAPI timestamps', () => {
  const decoded = (seconds: bigint, nanos: number) =>
    toTimestamp(proto.Timestamp.decode(Buffer.concat([intField(1, seconds), intField(2, nanos)].flat())));

  it.each([
    [1n, 2, 1_000_000_002n],
    [-1n, 0, -1_000_000_000n],
    [9_223_372_036n, 854_775_807, maxTimestamp],
    [9_223_372_036n, 854_775_808, maxTimestamp],
    [2n ** 63n - 1n, 999_999_999, maxTimestamp],
    [-(2n ** 63n), 0, minTimestamp],
  ])('%s s and %i ns saturate to %s', (seconds, nanos, timestamp) => expect(decoded(seconds, nanos)).toBe(timestamp));
});

it.each([
  [0n, 0n],
  [86_399_999_999_999n, 0n],
  [86_400_000_000_000n, 1n],
  [-1n, -1n],
])('the day of %s is %s', (timestamp, day) => expect(epochDay(timestamp)).toBe(day));

describe('formatSecond', () => {
  it('is the second that contains a time, as a Date writes it, from the first int64 to the last', () => {
    // In no order: what is kept of one day is never said of another.
    const anyTime = fc.bigInt({ min: minTimestamp, max: maxTimestamp });
    fc.assert(
      fc.property(fc.array(anyTime, { minLength: 1, maxLength: 5 }), (times) => {
        for (const time of [...times, ...times.map((one) => one / 2n)]) {
          const second = Number(time / 1_000_000_000n) - (time < 0n && time % 1_000_000_000n !== 0n ? 1 : 0);
          expect(formatSecond(time)).toBe(`${new Date(second * 1000).toISOString().slice(0, 19)}Z`);
        }
      }),
    );
  });

  it.each([
    [0n, '1970-01-01T00:00:00Z'],
    [-1n, '1969-12-31T23:59:59Z'],
    [86_399_999_999_999n, '1970-01-01T23:59:59Z'],
    [86_400_000_000_000n, '1970-01-02T00:00:00Z'],
  ])('%s ns is %s', (time, text) => {
    expect(formatSecond(time)).toBe(text);
  });
});
