import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeEntityId,
  formatEntityId,
  maxNum,
  maxRealm,
  maxShard,
} from '../../../../packages/protocol/hapi/entity-id.ts';
import { findDialect } from '../../dialect/find-dialect.ts';
import { parseEntityReference } from './entity-reference.ts';

const zero = { shard: 0n, realm: 0n };
const other = { shard: 1n, realm: 2n };
const opaque = '62cf9068fed962cf9aaabbb962cf9068fed9dddd';
const longZero = '00000000000000000000000000000000000003e8';

describe('what a text means', () => {
  it.each([
    ['1001', zero, '0.0.1001'],
    ['00.00.01001', zero, '0.0.1001'],
    ['5.1001', zero, '0.5.1001'],
    ['7.5.1001', zero, '7.5.1001'],
    ['1001', other, '1.2.1001'],
    ['5.1001', other, '1.5.1001'],
    ['0x2001', zero, '0.0.2001'],
    [longZero, zero, '0.0.1000'],
    [`0x${longZero}`, zero, '0.0.1000'],
    [longZero, other, '1.2.1000'],
    [`1.2.${longZero}`, other, '1.2.1000'],
    ['0000000000000000000000000000003fffffffff', zero, '0.0.274877906943'],
  ])('%s is an id', (text, system, id) => {
    const reference = parseEntityReference(text, system);
    expect(reference.kind === 'id' && formatEntityId(reference.id)).toBe(id);
  });

  it.each([
    ['274877906944', zero, '0.0.274877906944'],
    ['281474976710657', zero, '0.0.281474976710657'],
    ['-5', zero, '0.0.-5'],
    ['1024.0.5', zero, '1024.0.5'],
    ['65536.5', zero, '0.65536.5'],
    [`1.1.${longZero}`, zero, `1.1.${longZero}`],
    [`1.${longZero}`, zero, `0.1.${longZero}`],
  ])('%s is out of range', (text, system, padded) => {
    expect(parseEntityReference(text, system)).toEqual({ kind: 'outOfRange', padded });
  });

  it.each([
    [opaque, zero, false],
    [`0x${opaque}`, zero, false],
    [`0.0.${opaque}`, zero, false],
    [`0.${opaque}`, zero, false],
    [`1.0.${opaque}`, zero, true],
    [`0.0.${opaque}`, other, true],
    ['0000000000000000000000000000004000000000', zero, false],
  ])('%s is an EVM address', (text, system, foreign) => {
    expect(parseEntityReference(text, system)).toMatchObject({
      kind: 'evmAddress',
      address: Buffer.from(text.slice(-40), 'hex'),
      foreign,
    });
  });

  it('reads every id that can be printed', () => {
    const part = (max: bigint) => fc.bigInt({ min: 0n, max });
    fc.assert(
      fc.property(part(maxShard), part(maxRealm), part(maxNum), (shard, realm, num) => {
        const id = encodeEntityId(shard, realm, num);
        expect(parseEntityReference(formatEntityId(id), zero)).toEqual({ kind: 'id', id });
      }),
    );
  });
});

describe.each([
  { name: 'hiero' as const, column: 0 },
  { name: 'spec' as const, column: 1 },
])('forms taken by $name', ({ name, column }) => {
  const { forms } = findDialect(name);
  const alias = 'KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ';

  // [text, [hiero, spec]]
  it.each<[keyof typeof forms, string, [boolean, boolean]]>([
    ['token', '0.0.1135', [true, true]],
    ['token', '0000000000.0.1135', [false, true]],
    ['token', '1135', [true, false]],
    ['token', '0.1135', [true, false]],
    ['token', '0x2001', [true, false]],
    ['token', longZero, [true, false]],
    ['token', `0x${longZero}`, [true, false]],
    ['token', `0.0.${longZero}`, [true, false]],
    ['token', `0.0.0x${longZero}`, [false, false]],
    ['token', 'abc', [false, false]],
    ['token', '', [false, false]],
    ['token', '0.0.12345678901', [true, false]],
    ['account', '2001', [true, true]],
    ['account', '0x2001', [false, false]],
    ['account', '-5', [true, false]],
    ['account', opaque, [true, true]],
    ['account', `0.0.${opaque}`, [true, true]],
    ['account', `0.0.0x${opaque}`, [false, true]],
    ['account', alias, [false, false]],
    ['alias', alias, [true, true]],
    ['alias', `0.0.${alias}`, [true, true]],
    ['alias', `0.${alias}`, [true, true]],
    ['alias', 'AAA', [true, false]],
    ['alias', 'aa', [false, false]],
    ['contract', '8001', [true, true]],
    ['contract', '281474976710657', [true, false]],
    ['contract', `0.${longZero}`, [true, true]],
    ['contract', 'RESULTS', [false, false]],
    ['sender', '0.0.5999', [true, true]],
    ['sender', '5999', [true, false]],
    ['sender', `0x${opaque}`, [true, true]],
    ['sender', `0.0.${opaque}`, [false, false]],
    ['schedule', '0x2001', [true, true]],
    ['schedule', longZero, [false, false]],
    ['entity', '-92233720368547758080', [false, false]],
    ['entity', 'x.y.z', [false, false]],
    ['entity', `0.0.${opaque}`, [true, true]],
  ])('%s %s', (form, text, expected) => {
    expect(forms[form].test(text)).toBe(expected[column]);
  });
});
