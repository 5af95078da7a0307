import { describe, expect, it } from 'vitest';
import { parseQueryString } from '../frame/query-string.ts';
import { RequestError } from '../frame/request-error.ts';
import {
  everyOperator,
  readBlockHash,
  readBlockNumber,
  readFlag,
  readLimit,
  readOrder,
  readTimestamp,
  readTransactionIndex,
} from './parameter-readers.ts';
import { readParameters, splitOperator } from './query-parameters.ts';

const readers = {
  limit: readLimit(Number),
  order: readOrder,
  timestamp: readTimestamp(everyOperator),
  'block.number': readBlockNumber,
  'block.hash': readBlockHash,
  internal: readFlag,
  'transaction.index': readTransactionIndex,
};

function messagesFor(text: string, max = 100): string[] {
  try {
    readParameters(parseQueryString(text, max), readers, max);
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
    'transaction.index=2147483647',
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
    'transaction.index=2147483648',
    'transaction.index=ne:1',
  ])('%s', (text) => {
    expect(messagesFor(text)).toEqual([`Invalid parameter: ${/^[a-z.]+/.exec(text)![0]}`]);
  });
});

describe('order of complaints', () => {
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

it('values arrive typed and in order', () => {
  const values = readParameters(
    parseQueryString('timestamp=lt:1.5&timestamp=2&internal=False&limit=7&block.number=0xa&limit=9', 100),
    readers,
    100,
  );
  expect(values).toEqual({
    limit: [7, 9],
    order: [],
    timestamp: [
      { operator: 'lt', timestamp: 1_500_000_000n },
      { operator: 'eq', timestamp: 2_000_000_000n },
    ],
    'block.number': [10n],
    'block.hash': [],
    internal: [{ value: false, raw: 'False' }],
    'transaction.index': [],
  });
});
