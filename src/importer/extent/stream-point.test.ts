import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatStartPoint, parseStartPoint, parseStreamPoint } from './stream-point.ts';

const second = 1_000_000_000n;

test.each([
  ['0', { kind: 'block', number: 0n }],
  ['34305852', { kind: 'block', number: 34_305_852n }],
  ['1700000000.0', { kind: 'timestamp', timestamp: 1_700_000_000n * second }],
  ['1700000000.000000001', { kind: 'timestamp', timestamp: 1_700_000_000n * second + 1n }],
  ['0.5', { kind: 'timestamp', timestamp: second / 2n }],
  ['2023-11-14', { kind: 'timestamp', timestamp: 1_699_920_000n * second }],
  ['2023-11-14T22:13:20Z', { kind: 'timestamp', timestamp: 1_700_000_000n * second }],
  ['2023-11-14T22:13:20.25Z', { kind: 'timestamp', timestamp: 1_700_000_000n * second + second / 4n }],
])('%s', (text, point) => {
  expect(parseStreamPoint(text)).toEqual(point);
  expect(parseStartPoint(text)).toEqual(point);
});

test.each([
  '',
  '-1',
  '1.',
  '.5',
  '1.0000000001',
  '0x10',
  'Genesis',
  'yesterday',
  '2023-02-30',
  '2023-13-01',
  '2023-11-14T22:13:20',
  '2023-11-14T24:00:01Z',
  '1969-12-31',
  '9999-12-31',
  '1234567890123456789',
])('"%s" is no point', (text) => {
  expect(parseStartPoint(text)).toBeNull();
});

test('genesis and now are starts, and no ends', () => {
  for (const kind of ['genesis', 'now'] as const) {
    expect(parseStartPoint(kind)).toEqual({ kind });
    expect(parseStreamPoint(kind)).toBeNull();
  }
});

test('the text of a point is read as the same point', () => {
  const point = fc.oneof(
    fc.record({ kind: fc.constant('block' as const), number: fc.bigInt(0n, 10n ** 18n - 1n) }),
    fc.record({ kind: fc.constant('timestamp' as const), timestamp: fc.bigInt(0n, 2n ** 63n - 1n) }),
  );
  fc.assert(
    fc.property(point, (one) => {
      expect(parseStartPoint(formatStartPoint(one))).toEqual(one);
    }),
  );
});
