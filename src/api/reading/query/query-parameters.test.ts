import { describe, expect, it } from 'vitest';
import { defaultHttpSettings } from '../../../../packages/test-support/http/default-settings.ts';
import { RequestError } from '../../../../packages/web-server/request-error.ts';
import { findDialect } from '../../dialect/find-dialect.ts';
import { page } from '../page/page.ts';
import { flag } from '../value/flag.ts';
import { blockHashText, blockNumberText, positionText, timestampText } from '../value/text-kinds.ts';
import { anyOf, last, range } from './conditions.ts';
import { type QueryRule, readFilters, readLegacyFilters, splitOperator, type ValueReader } from './query-parameters.ts';
import { parseQueryString } from './query-string.ts';

const context = { dialect: findDialect('hiero'), settings: defaultHttpSettings };
const parameters = {
  ...page({ order: 'asc', by: 'time' }),
  timestamp: range(timestampText, ''),
  'block.number': last(blockNumberText, ''),
  'block.hash': last(blockHashText, ''),
  internal: flag('', { default: false }),
  'transaction.index': anyOf(positionText, ''),
};
const readings = Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter.open(context) }));
const readers: Record<string, ValueReader> = Object.fromEntries(
  readings.map(({ name, read }) => [name, (value) => read(value, 100)]),
);

function messagesFor(text: string, max = 100, rule: QueryRule = readFilters): string[] {
  try {
    rule(parseQueryString(text, max), readers, max);
  } catch (error) {
    if (error instanceof RequestError) return error.messages;
    throw error;
  }
  return [];
}

describe('operators', () => {
  it.each([
    ['5', 'eq', '5'],
    ['gte:5', 'gte', '5'],
    ['a:eq:2', 'eq', '2'],
    ['eq:', 'eq', ''],
    ['GT:5', undefined, undefined],
    ['el:10', undefined, undefined],
    [':5', undefined, undefined],
  ])('%s', (raw, operator, text) => {
    expect(splitOperator(raw)).toEqual(operator && { operator, text, raw });
  });
});

describe('what is taken', () => {
  it.each([
    'limit=1',
    'limit=05',
    'limit=9223372036854775807',
    'limit=gte:5',
    'limit=a:eq:2',
    'order=Desc',
    'order=gt:asc',
    'timestamp=1',
    'timestamp=1234567890.123456789',
    'timestamp=ne:1.5',
    'block.number=0x10',
    'block.number=eq:10',
    'block.number=9223372036854775807',
    `block.hash=0x${'aB'.repeat(32)}`,
    `block.hash=${'ab'.repeat(48)}`,
    'internal=TRUE',
    'transaction.index=2147483648',
  ])('%s', (text) => {
    expect(messagesFor(text)).toEqual([]);
  });
});

describe('what is refused', () => {
  it.each([
    'limit=0',
    'limit=',
    'limit',
    'limit=-1',
    'limit=1+',
    'limit=9223372036854775808',
    'limit[x]=1',
    'order=d',
    'timestamp=12345678901',
    'timestamp=1.1234567890',
    'timestamp=1,5',
    'timestamp=-1',
    'timestamp=el:10',
    'block.number=0x',
    'block.number=0X64',
    'block.number=0x1g',
    'block.number=gt:1',
    'block.number=0x8000000000000000',
    `block.hash=${'ab'.repeat(33)}`,
    'block.hash=0x10',
    'internal=gt:true',
    'internal=1',
    'transaction.index=9223372036854775808',
    'transaction.index=ne:1',
  ])('%s', (text) => {
    expect(messagesFor(text)).toEqual([`Invalid parameter: ${/^[a-z.]+/.exec(text)![0]}`]);
  });
});

describe('order of refusals', () => {
  it('invalid values first, then unknown names, each as in the query', () => {
    expect(messagesFor('foo=1&bar=2&limit=x')).toEqual([
      'Invalid parameter: limit',
      'Unknown query parameter: foo',
      'Unknown query parameter: bar',
    ]);
    expect(messagesFor('timestamp=a&timestamp=el:10&limit=5&timestamp=-1&x=1&X=2')).toEqual([
      'Invalid parameter: timestamp',
      'Invalid parameter: timestamp',
      'Invalid parameter: timestamp',
      'Unknown query parameter: x',
      'Unknown query parameter: x',
    ]);
  });

  it('too many values of one name come before everything', () => {
    const many = `limit=x&${Array(2).fill('timestamp=a').join('&')}&${Array(2).fill('Timestamp=a').join('&')}`;
    expect(messagesFor(many, 3)).toEqual([
      'Parameter values count exceeds maximum number allowed: timestamp count: 4 max: 3',
      'Invalid parameter: limit',
    ]);
  });
});

describe('the older rule', () => {
  it('lists refusals in query order, an unknown name once', () => {
    expect(messagesFor('foo=1&limit=0&foo=2', 100, readLegacyFilters)).toEqual([
      'Unknown query parameter: foo',
      'Invalid parameter: limit',
    ]);
  });

  it('takes one colon at most', () => {
    expect(messagesFor('timestamp=gt:1', 100, readLegacyFilters)).toEqual([]);
    expect(messagesFor('timestamp=a:eq:1', 100, readLegacyFilters)).toEqual(['Invalid parameter: timestamp']);
  });

  it('counts equal values once', () => {
    const query = parseQueryString('timestamp=x&timestamp=x&timestamp=y', 100);
    expect(() => readLegacyFilters(query, readers, 100)).toThrow(
      'Invalid parameter: timestamp; Invalid parameter: timestamp',
    );
  });
});

it('values arrive typed, and several as what they mean together', () => {
  const query = parseQueryString('timestamp=lt:1.5&timestamp=2&internal=False&limit=7&block.number=0xa&limit=9', 100);
  const read = readFilters(query, readers, 100);
  const values = readings.map(({ name, collect }) => [name, collect(read[name]!, undefined)]);
  expect(Object.fromEntries(values)).toEqual({
    limit: 9,
    order: 'asc',
    timestamp: { from: null, to: 1_499_999_999n, equals: [2_000_000_000n], notEquals: [] },
    'block.number': 10n,
    'block.hash': null,
    internal: false,
    'transaction.index': [],
  });
});
