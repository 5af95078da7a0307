// Queries of endpoints that the mirror node answers from Java: what is read, what is refused, and where a page leads.

import { describe, expect, it } from 'vitest';
import { defaultHttpSettings as settings } from '../../../../packages/test-support/http/default-settings.ts';
import { RequestError } from '../../../../packages/web-server/request-error.ts';
import { findDialect } from '../../dialect/find-dialect.ts';
import { page } from '../page/page.ts';
import { idRange } from '../value/entity-id.ts';
import { flag } from '../value/flag.ts';
import { integerText, timestampText } from '../value/text-kinds.ts';
import { range } from './conditions.ts';
import type { JavaReading } from './dialect.ts';
import type { ValueReader } from './query-parameters.ts';

const most = { count: 2, name: 'accountIds' };
const parameters = {
  'account.id': idRange('', { form: 'entity', kind: 'account', most }),
  ...page({ order: 'asc', by: 'id' }),
  'node.id': range(integerText(), ''),
  owner: flag('', { default: true }),
  timestamp: range(timestampText, '', { accepts: ['eq', 'lt', 'lte', 'gt', 'gte'] }),
};

function read(text: string, reading: JavaReading = 'arguments') {
  const dialect = findDialect('hiero').java![reading];
  const context = { dialect, settings };
  const typed = dialect.query.parse(text, 100);
  const query = dialect.query.toMeant(typed, parameters);
  const readings = Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter.open(context) }));
  const readers: Record<string, ValueReader> = {};
  for (const { name, read: readValue } of readings) readers[name] = (value) => readValue(value, settings.limitMax);
  const values = dialect.query.rule!(parameters)(query, readers, 100);
  const collected = readings.map(({ name, collect }) => [name, collect(values[name]! as never[], undefined)]);
  return { typed, values: Object.fromEntries(collected) };
}

function refusal(text: string, reading: JavaReading = 'arguments'): string {
  try {
    read(text, reading);
  } catch (error) {
    if (error instanceof RequestError) return findDialect('hiero').java![reading].shapes.formatErrorBody(error);
    throw error;
  }
  throw new Error(`${text} was not refused`);
}

it.each([
  ['limit=7&LIMIT=8&foo[a][b]=1&__proto__=1', { limit: 7 }],
  ['limit=7&limit=x&order=DESC&order=y', { limit: 7, order: 'desc' }],
  ['limit=%2B7', { limit: 7 }],
  ['limit=0x1F', { limit: 31 }],
  ['limit=%231f', { limit: 31 }],
  ['limit=%201%202%20', { limit: 12 }],
  ...['TRUE', 'on', 'Yes', '1'].map((word): [string, object] => [`owner=${word}`, { owner: true }]),
  ...['off', 'NO', '0'].map((word): [string, object] => [`owner=${word}`, { owner: false }]),
  ['account.id=0.0.0000000000000000001001', { 'account.id': { equals: [1001n] } }],
  ['timestamp=9223372036.854775807', { timestamp: { equals: [2n ** 63n - 1n] } }],
  ['owner=FALSE', { owner: false }],
  ['node.id=GTE:3,%20lt:5', { 'node.id': { from: 3n, to: 4n, equals: [], notEquals: [] } }],
  ['timestamp=gt:1.5', { timestamp: { from: 1_000_000_006n, to: null, equals: [], notEquals: [] } }],
  ['account.id=0.5&account.id=ne:7', { 'account.id': { from: null, to: null, equals: [5n], notEquals: [7n] } }],
])('%s is read', (text, expected) => {
  expect(read(text).values).toMatchObject(expected);
});

it('an empty value is as good as none', () => {
  for (const reading of ['arguments', 'object'] as const) {
    expect(read('limit=&order=&owner=&account.id=&timestamp=', reading).values).toMatchObject({
      ...{ limit: 25, order: 'asc', owner: true },
      ...{ 'account.id': { equals: [] }, timestamp: { equals: [] } },
    });
  }
  // The first counts where several are taken, and where it is blank, none of a member.
  expect(read('limit=&limit=7').values).toMatchObject({ limit: 25 });
  expect(read('node.id=%20&node.id=7', 'object').values).toMatchObject({ 'node.id': { equals: [] } });
  expect(read('node.id=7&node.id=%20', 'object').values).toMatchObject({ 'node.id': { equals: [7n] } });
});

describe('refused by a sentence', () => {
  it.each([
    ['limit=x', "Failed to convert 'limit'"],
    ['limit=eq:5', "Failed to convert 'limit'"],
    ['limit=2147483648', "Failed to convert 'limit'"],
    ['limit=0', 'limit must be greater than 0'],
    ['limit=-1', 'limit must be greater than 0'],
    ['limit=101', 'limit must be less than or equal to 100'],
    ['order=up', "Failed to convert 'order'"],
    ['owner=2', "Failed to convert 'owner'"],
    ['owner=y', "Failed to convert 'owner'"],
    ['limit=%2B0x5', "Failed to convert 'limit'"],
    ['limit=1,5', "Failed to convert 'limit'"],
    ['order=%20asc', "Failed to convert 'order'"],
    ['account.id=0.0.', "Failed to convert 'account.id'"],
    ['account.id=0.65536.1', "Failed to convert 'account.id'"],
    ['account.id=gt:274877906944', "Failed to convert 'account.id'"],
    ['account.id=eq:gt:1', "Failed to convert 'account.id'"],
    ['account.id=0x00000000000000000000000000000000000003e9', "Failed to convert 'account.id'"],
    ['account.id=1,2,3', 'accountIds size must be between 0 and 2'],
    ['account.id=1,,', 'accountIds size must be between 0 and 2'],
    ['account.id=1&account.id=&account.id=2', 'accountIds size must be between 0 and 2'],
    // What is given several times is no list.
    ['account.id=1,2&account.id=3', "Failed to convert 'account.id'"],
    // Beyond int64 as nanoseconds.
    ['timestamp=9223372036.854775808', "Failed to convert 'timestamp'"],
    ['timestamp=lt:12345678901234567', "Failed to convert 'timestamp'"],
    ['timestamp=ne:1', "Failed to convert 'timestamp'"],
    ['node.id=x&account.id=y&limit=0', "Failed to convert 'account.id'"],
  ])('%s', (text, detail) => {
    expect(refusal(text)).toBe(JSON.stringify({ _status: { messages: [{ detail, message: 'Bad Request' }] } }));
  });
});

it.each([
  ['limit=0', ['limit']],
  ['node.id=x&limit=101', ['node.id', 'limit']],
  ['account.id=1&account.id=2&account.id=3', ['account.id']],
  // A member is no list.
  ['node.id=1,2', ['node.id']],
])('%s is refused by name where they are members of an object', (text, names) => {
  const messages = names.map((name) => ({ message: `Invalid parameter: ${name}` }));
  expect(JSON.parse(refusal(text, 'object'))).toEqual({ _status: { messages } });
});

describe('next links', () => {
  const link = (text: string, last: [bigint, bigint?], order: 'asc' | 'desc' = 'asc') => {
    const dialect = findDialect('hiero').java!.arguments;
    const { typed, values } = read(text);
    const names = ['node.id', 'account.id'] as const;
    const keys = last.map((value, index) => {
      const name = names[index]!;
      return {
        name,
        range: values[name],
        last: value!,
        format: parameters[name].formatKey!,
      };
    });
    return dialect.formatNextLink(keys, { path: '/p', query: typed, order, repeatsEqual: true });
  };
  it.each([
    ['limit=1', [3n, 9n], '/p?limit=1&node.id=gte:3&account.id=gt:0.0.9'],
    ['node.id=3&limit=1&order=asc', [3n, 9n], '/p?node.id=3&limit=1&order=asc&account.id=gt:0.0.9'],
    ['account.id=9&limit=1', [3n, 9n], '/p?account.id=9&limit=1&node.id=gt:3'],
    [
      'node.id=GT:1&limit=1&x=y&node.id=lte:3',
      [3n, 9n],
      '/p?node.id=lte:3&node.id=gte:3&limit=1&x=y&account.id=gt:0.0.9',
    ],
    ['limit=1&node.id=gte:1', [3n], '/p?limit=1&node.id=gt:3'],
    ['limit=1&node.id=lt:4', [3n], null],
    ['limit=1&node.id=3', [3n], null],
    ['node.id=3,5,9&limit=1', [3n], '/p?node.id=3,5,9&node.id=gt:3&limit=1'],
    ['node.id=3,5&limit=1', [5n], null],
    ['node.id=gte:1,lte:9&limit=1', [3n, 9n], '/p?node.id=lte:9&node.id=gte:3&limit=1&account.id=gt:0.0.9'],
    ['node.id=lte:3&account.id=9&limit=1', [3n, 9n], null],
  ] as const)('%s', (text, last, expected) => {
    expect(link(text, last as unknown as [bigint, bigint?])).toBe(expected);
  });
  it('in the other direction', () => {
    expect(link('limit=1&order=desc&node.id=gt:1', [3n], 'desc')).toBe(
      '/p?limit=1&order=desc&node.id=gt:1&node.id=lt:3',
    );
    expect(link('limit=1&order=desc&node.id=gt:2', [3n], 'desc')).toBeNull();
  });
});
