import { describe, expect, it } from 'vitest';
import { transactionTypeName } from '../../packages/protocol/hapi/transaction-types.ts';
import { findDialect } from '../api/dialect/find-dialect.ts';

const spec = findDialect('spec');
const hiero = findDialect('hiero');

it('page sizes above the largest are refused or capped', () => {
  expect([spec.pageSize('100', 100, { capped: false }), hiero.pageSize('100', 100, { capped: false })]).toEqual([
    100, 100,
  ]);
  expect([spec.pageSize('101', 100, { capped: false }), hiero.pageSize('101', 100, { capped: false })]).toEqual([
    undefined,
    100,
  ]);
  expect(hiero.pageSize('9223372036854775807', 100, { capped: false })).toBe(100);
});

it('status is a number or a text', () => {
  expect([true, false].map(spec.status.write)).toEqual(['1', '0']);
  expect([true, false].map(hiero.status.write)).toEqual(['"0x1"', '"0x0"']);
});

describe('access lists', () => {
  const address = '0xa02457e5dfd32bda5fc7e1f1b008aa5979568150';
  const key = '0x0000000000000000000000000000000000000000000000000000000000000081';

  it('as RLP, or as they are', () => {
    expect(spec.accessList.write([])).toBe('"0x"');
    expect(hiero.accessList.write([])).toBe('[]');
    const items = [{ address, storage_keys: [key] }];
    expect(hiero.accessList.write(items)).toBe(JSON.stringify(items));
    // By the rules of RLP: list of 56 bytes of [address of 20, list of 33].
    expect(spec.accessList.write(items)).toBe(`"0xf838f794${address.slice(2)}e1a0${key.slice(2)}"`);
  });
});

it('signatures are broken into lines, or not', () => {
  const signature = new Uint8Array(64);
  expect(JSON.parse(spec.signatureBytes.write(signature))).toBe(`${'A'.repeat(86)}==`);
  expect(JSON.parse(hiero.signatureBytes.write(signature))).toBe(`${'A'.repeat(76)}\n${'A'.repeat(10)}==`);
  // Behind the last line, too, where it is full of bytes; not where padding fills it.
  for (const [bytes, written] of [
    [0, ''],
    [1, 'AA=='],
    [56, `${'A'.repeat(75)}=`],
    [57, `${'A'.repeat(76)}\n`],
    [58, `${'A'.repeat(76)}\nAA==`],
    [114, `${'A'.repeat(76)}\n${'A'.repeat(76)}\n`],
  ] as const) {
    expect(JSON.parse(hiero.signatureBytes.write(new Uint8Array(bytes)))).toBe(written);
  }
});

describe('transaction types', () => {
  it('each name stands for its number', () => {
    for (const dialect of [spec, hiero]) {
      expect(dialect.transactionTypes.get('CRYPTOTRANSFER')).toEqual({ numbers: [14], except: false });
    }
  });

  it('the families of the specification', () => {
    expect(spec.transactionTypes.get('NODE')).toEqual({ numbers: [51, 54, 55, 56], except: false });
    const unknown = spec.transactionTypes.get('UNKNOWN');
    expect(unknown?.except).toBe(true);
    // The list has 56 names of which two are families.
    expect(unknown?.numbers).toHaveLength(54);
    expect(unknown?.numbers).not.toContain(75);
    expect(hiero.transactionTypes.has('NODE')).toBe(false);
    expect(hiero.transactionTypes.has('UNKNOWN')).toBe(false);
  });

  it('every name that an answer can show selects the type that is shown so', () => {
    const shown = Array.from({ length: 32_768 }, (_, number) => [number, transactionTypeName(number)] as const);
    for (const dialect of [spec, hiero]) {
      const wrong = shown.filter(([number, name]) => {
        const types = dialect.transactionTypes.get(name);
        return !types || types.numbers.includes(number) === types.except;
      });
      // The mirror node shows UNKNOWN and refuses it.
      expect(new Set(wrong.map(([, name]) => name))).toEqual(new Set(dialect === hiero ? ['UNKNOWN'] : []));
    }
    expect(spec.transactionTypes.get('HOOKSTORE')).toEqual({ numbers: [75], except: false });
    expect(spec.transactionTypes.get('CLPRSUBMITBUNDLE')).toEqual({ numbers: [86], except: false });
  });
});
