// The rules of a call's body, in the words of the mirror node.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRevertReason } from '../../../../packages/abi/revert-reason.ts';
import { defaultHttpSettings as settings } from '../../../../packages/test-support/http/default-settings.ts';
import { RequestError } from '../../../../packages/web-server/request-error.ts';
import { findDialect } from '../../../api/dialect/find-dialect.ts';
import { readBlockName } from './read-block-name.ts';
import { readCall } from './read-call.ts';

const to = `0x${'11'.repeat(20)}`;
const read = (body: unknown, dialect: 'spec' | 'hiero' = 'hiero') =>
  readCall(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), {
    dialect: findDialect(dialect),
    settings,
  });

function refusals(body: unknown, dialect?: 'spec' | 'hiero'): string[] {
  try {
    read(body, dialect);
  } catch (error) {
    if (error instanceof RequestError) return error.messages;
    throw error;
  }
  return [];
}

describe('a body', () => {
  it('has defaults, also for null, and ignores what it does not know', () => {
    const defaults = { block: null, from: null, gas: 15_000_000, value: 0n, estimate: false, overrides: [] };
    expect(read({ to })).toMatchObject({ ...defaults, to: BigInt(to) });
    const nulls = { block: null, data: null, from: null, gas: null, gasPrice: null, value: null, estimate: null };
    expect(read({ to, ...nulls, state_overrides: null, other: [1] })).toEqual(read({ to }));
    expect(read({ to, data: '0X00fF' }).data).toEqual(Buffer.of(0, 255));
    expect(read({}).to).toBe(null);
    expect(read(`{"to":"","from":"${to}","value":9223372036854775807,"data":"60806040520000390000f3"}`).value).toBe(
      2n ** 63n - 1n,
    );
  });

  const cases: [body: object, ...messages: string[]][] = [
    [{ to: '0x' }, 'to field invalid hexadecimal string'],
    [{ to, from: '' }, 'from field invalid hexadecimal string'],
    [{ to, data: '0xzz' }, 'data field invalid hexadecimal string'],
    [{ to, data: '0x123' }, "data field '0x123' contains invalid odd length characters"],
    [{ to, gas: 20_999 }, 'gas field must be greater than or equal to 21000'],
    [{ to, gas: 15_000_001 }, 'gas field must be less than or equal to 15000000'],
    [{ to, gasPrice: -1 }, 'gasPrice field must be greater than or equal to 0'],
    [{ to, value: -1 }, 'value field must be greater than or equal to 0'],
    [{ to, value: 1 }, 'from field must not be empty'],
    [{ from: to, value: 1 }, 'to field must not be empty'],
    [{ from: to, value: 1, data: '0x60806040523900f3' }],
    [
      { to, gas: 1, value: -1, data: 'x' },
      'data field invalid hexadecimal string',
      'gas field must be greater than or equal to 21000',
      'value field must be greater than or equal to 0',
    ],
    [{ to, block: 'newest' }, 'Invalid block value: newest'],
    [{ to, gas: 'much' }, 'JSON parse error: gas must be an integer'],
    [{ to, estimate: 1 }, 'JSON parse error: estimate must be true or false'],
    [{ to, state_overrides: [{ address: to }] }, 'State overrides are not supported.'],
  ];
  it.each(cases)('%j', (body, ...messages) => {
    expect(refusals(body)).toEqual(messages);
  });

  it('is JSON, and an object', () => {
    expect(refusals('{')[0]).toMatch(/^JSON parse error: /);
    expect(refusals('[]')).toEqual(['JSON parse error: the body is no object']);
  });

  it('overrides the state where the dialect lets it', () => {
    const word = (digit: string) => `0x${digit.repeat(64)}`;
    const slots = [{ key: word('1'), value: word('2') }];
    const override = { address: to, balance: '0x64', nonce: '7', code: '0x00', state_diff: slots };
    expect(read({ to, state_overrides: [override] }, 'spec').overrides).toEqual([
      {
        address: BigInt(to),
        balance: 100n,
        nonce: 7n,
        code: Buffer.of(0),
        stateDiff: [{ slot: BigInt(word('1')), value: BigInt(word('2')) }],
      },
    ]);
    const balances: [written: string, balance: bigint | string][] = [
      ['0', 0n],
      ['9223372036854775807', 9223372036854775807n],
      ['9007199254740993', 9007199254740993n],
      ['"0x20000000000001"', 0x20000000000001n],
      ['"64"', 0x64n],
      ['-1', 'state_overrides[0].balance field must be greater than or equal to 0'],
      ['-0.5', 'state_overrides[0].balance field must be greater than or equal to 0'],
      ['1.5', 'state_overrides[0].balance field must be an integer of 64 bits'],
      ['1e3', 'state_overrides[0].balance field must be an integer of 64 bits'],
      ['9223372036854775808', 'state_overrides[0].balance field must be an integer of 64 bits'],
      ['true', 'state_overrides[0].balance field invalid hexadecimal string'],
      ['"-1"', 'state_overrides[0].balance field invalid hexadecimal string'],
    ];
    for (const name of ['balance', 'nonce'] as const) {
      for (const [written, value] of balances) {
        const text = `{"to":"${to}","state_overrides":[{"address":"${to}","${name}":${written}}]}`;
        if (typeof value === 'string') expect(refusals(text, 'spec')).toEqual([value.replace('balance', name)]);
        else expect(read(text, 'spec').overrides[0]![name]).toBe(value);
      }
    }
    expect(refusals({ to, state_overrides: [{ ...override, state: slots }] }, 'spec')).toEqual([
      'state and state_diff are mutually exclusive',
    ]);
  });

  it('never fails in another way', () => {
    fc.assert(fc.property(fc.json(), (text) => Array.isArray(refusals(text, 'spec'))));
    fc.assert(
      fc.property(
        fc.record(
          {
            block: fc.string(),
            gas: fc.anything(),
            state_overrides: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
          },
          { requiredKeys: [] },
        ),
        (body) => {
          const text = JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
          expect(Array.isArray(refusals(text, 'spec'))).toBe(true);
        },
      ),
    );
  });
});

it('names blocks by word, number and hash', () => {
  const hash = 'ab'.repeat(48);
  expect(['', 'LATEST', 'pending', 'safe', 'Finalized'].map(readBlockName)).toEqual([null, null, null, null, null]);
  expect(['earliest', '0', '0x10'].map(readBlockName)).toEqual(['earliest', { number: 0n }, { number: 16n }]);
  expect([`0x${hash}`, `0X${hash.slice(0, 64).toUpperCase()}`].map(readBlockName)).toEqual(
    Array.from({ length: 2 }, () => ({ hashPrefix: hash.slice(0, 64) })),
  );
  const out = [
    ['9223372036854775808', 'Decimal value out of range for block: 9223372036854775808'],
    ['0x8000000000000000', 'Hex value out of range for block: 0x8000000000000000'],
    ...['-1', '0x', `0x${'f'.repeat(17)}`, hash].map((text) => [text, `Invalid block value: ${text}`]),
  ];
  for (const [text, message] of out) expect(() => readBlockName(text!)).toThrow(message);
});

it('reads the reason of Error(string), and of nothing else', () => {
  const word = (number: number) => number.toString(16).padStart(64, '0');
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const reason = (length: number, text: string) =>
    bytes(`08c379a0${word(32)}${word(length)}${Buffer.from(text).toString('hex').padEnd(64, '0')}`);
  expect(readRevertReason(reason(4, 'wait'))).toBe('wait');
  expect(readRevertReason(reason(0, ''))).toBe('');
  for (const broken of [
    reason(33, 'wait'),
    bytes(`08c379a0${'f'.repeat(128)}`),
    bytes('08c379a0'),
    bytes(`4e487b71${word(18)}`),
    reason(4, '\ufffd').subarray(0, 70),
  ]) {
    expect(readRevertReason(broken)).toBe('');
  }
});
