import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intField } from '../wire-writer.ts';
import {
  decodeEntityId,
  encodeEntityId,
  formatEntityId,
  maxNum,
  maxRealm,
  maxShard,
  parseEntityId,
  toEntityId,
} from './entity-id.ts';
import { proto } from './hapi.ts';

const parts = fc.tuple(
  fc.bigInt({ min: 0n, max: maxShard }),
  fc.bigInt({ min: 0n, max: maxRealm }),
  fc.bigInt({ min: 0n, max: maxNum }),
);

describe('entity ids', () => {
  it.each([
    ['0.0.0', 0n],
    ['0.0.1234', 1234n],
    [`0.0.${maxNum}`, maxNum],
    ['0.1.0', 274_877_906_944n],
    ['1.2.3', (1n << 54n) + (2n << 38n) + 3n],
    [`${maxShard}.${maxRealm}.${maxNum}`, -1n],
  ])('%s is kept as %s', (text, id) => {
    expect(parseEntityId(text)).toBe(id);
    expect(formatEntityId(id)).toBe(text);
  });

  it('come back from their parts, their text and the wire', () => {
    fc.assert(
      fc.property(parts, ([shard, realm, num]) => {
        const id = encodeEntityId(shard, realm, num);
        expect(decodeEntityId(id)).toEqual({ shard, realm, num });
        expect(parseEntityId(formatEntityId(id))).toBe(id);
        const message = Buffer.concat([intField(1, shard), intField(2, realm), intField(3, num)].flat());
        expect(toEntityId(proto.TokenID.decode(message))).toBe(id);
      }),
    );
  });

  it.each([
    [-1n, 0n, 0n],
    [0n, -1n, 0n],
    [0n, 0n, -1n],
    [maxShard + 1n, 0n, 0n],
    [0n, maxRealm + 1n, 0n],
    [0n, 0n, maxNum + 1n],
  ])('are not %s.%s.%s', (shard, realm, num) => expect(() => encodeEntityId(shard, realm, num)).toThrow(RangeError));

  it.each(['', '1', '0.1', '0.0.', '0.0.-1', '0.0.1.2', 'a.b.c', ' 0.0.1', '1024.0.0', '0.65536.0'])(
    'are not "%s"',
    (text) => expect(() => parseEntityId(text)).toThrow(RangeError),
  );

  it.each([
    ['nothing', null],
    ['an alias', proto.AccountID.decode(proto.AccountID.encode({ alias: Buffer.of(1) }).finish())],
  ])('are 0 for %s', (_name, message) => expect(toEntityId(message)).toBe(0n));
});
