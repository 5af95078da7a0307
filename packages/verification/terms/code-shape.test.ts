import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashCodeShape, hashCompiledShape } from './code-shape.ts';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((one) => Buffer.from(one));
const head = Buffer.from('6080604052', 'hex');
/** PUSH20, PUSH32, and the metadata of Solidity 0.8. */
const codeOf = (address: Buffer, value: Buffer, hash: Buffer, last = 0x37) =>
  Buffer.concat([
    head,
    Buffer.from([0x73]),
    address,
    Buffer.from([0x7f]),
    value,
    Buffer.from('fea264697066735822', 'hex'),
    hash,
    Buffer.from('64736f6c63430008', 'hex'),
    Buffer.from([last]),
    Buffer.from('0033', 'hex'),
  ]);

it('is the same whatever constructors and metadata fill in', () => {
  const empty = hashCodeShape(codeOf(Buffer.alloc(20), Buffer.alloc(32), Buffer.alloc(34)));
  fc.assert(
    fc.property(bytes(20), bytes(32), bytes(34), (address, value, hash) => {
      expect(hashCodeShape(codeOf(address, value, hash))).toEqual(empty);
      expect(hashCodeShape(codeOf(address, value, hash, 0x1b))).not.toEqual(empty);
    }),
  );
});

it('differs with any other byte', () => {
  const plain = fc
    .uint8Array({ minLength: 1, maxLength: 60 })
    .map((one) => Buffer.from(one.map((byte) => byte % 0x5f)));
  fc.assert(
    fc.property(plain, fc.nat(), fc.integer({ min: 1, max: 0x5e }), (code, place, change) => {
      const other = Buffer.from(code);
      other[place % code.length] = (other[place % code.length]! + change) % 0x5f;
      expect(hashCodeShape(other)).not.toEqual(hashCodeShape(code));
    }),
  );
});

it('takes code as compilers write it, with placeholders of libraries', () => {
  const linked = Buffer.concat([Buffer.from([0x73]), Buffer.alloc(20, 7), Buffer.from('5af4', 'hex')]);
  for (const placeholder of [`__$${'ab'.repeat(17)}$__`, '__Adder.sol:Adder_______________________']) {
    expect(hashCompiledShape(`73${placeholder}5af4`)).toEqual(hashCodeShape(linked));
  }
});

it('reads any bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (code) => hashCodeShape(Buffer.from(code)).length === 32));
});
