import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashCodeSkeleton } from './code-skeleton.ts';

const ipfs = (hash: string, solc = '000825') => `a264697066735822${hash}64736f6c6343${solc}0033`;
const one = ipfs(`1220${'11'.repeat(32)}`);
const two = ipfs(`1220${'22'.repeat(32)}`);
const bzzr = (key: string, hash: string) => `a165627a7a72${key}5820${hash.repeat(32)}0029`;

const skeleton = (hex: string) => hashCodeSkeleton(Buffer.from(hex, 'hex')).toString('hex');

describe('code of one source has one skeleton', () => {
  it.each([
    ['metadata at the end', `6001${one}`, `6001${two}`],
    ['another compiler in it', `6001${one}`, `6001${ipfs(`1220${'11'.repeat(32)}`, '000813')}`],
    ['none', `6001${one}`, '6001'],
    ['metadata of swarm', `6001${bzzr('30', '11')}`, `6001${bzzr('31', '22')}`],
    ['metadata of a contract that it creates', `6001fe6002${one}${one}`, `6001fe6002${two}${one}`],
    ['an immutable', `7f${'00'.repeat(32)}50`, `7f${'ab'.repeat(32)}50`],
    ['a library, or its own address', `73${'00'.repeat(20)}3014`, `73${'ab'.repeat(20)}3014`],
  ])('%s', (_case, left, right) => {
    expect(skeleton(left)).toBe(skeleton(right));
  });
});

describe('other code has another', () => {
  it.each([
    ['an instruction', '600101', '600102'],
    ['a short constant', '60015050', '60025050'],
    ['a word that is no operand', `60ff${'7f'.repeat(3)}`, `60fe${'7f'.repeat(3)}`],
    ['length', '6001', '600100'],
  ])('%s', (_case, left, right) => {
    expect(skeleton(left)).not.toBe(skeleton(right));
  });
});

it('any bytes have one, and are not changed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const code = Buffer.from(bytes);
      expect(hashCodeSkeleton(code)).toEqual(hashCodeSkeleton(Buffer.from(bytes)));
      expect(code).toEqual(Buffer.from(bytes));
    }),
  );
});
