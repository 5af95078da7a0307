// Our ABI against micro-eth-signer's, and what is refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCall, encodeResult } from '../../../test-support/evm/signer-abi.ts';
import { systemContracts } from '../system-contracts.ts';
import { AbiError, decodeAbi } from './decode.ts';
import { encodeAbi } from './encode.ts';
import { type AbiType, type AbiValue, abiTuple } from './types.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text.replace(/\s/g, ''), 'hex'));

const names = ['address', 'bool', 'bytes', 'string', 'bytes32', 'int64', 'uint8', 'uint256', 'int256', 'uint32'];
const typeText: fc.Arbitrary<string> = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(...names),
    tie('type').map((type) => `${type}[]`),
    fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((types) => `(${types.join(',')})`),
  ),
})).type;

function anyOf(type: AbiType): fc.Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'number':
      return fc.bigInt({ min: type.min, max: type.max });
    case 'bool':
      return fc.boolean();
    case 'word':
      return fc.uint8Array({ minLength: 32, maxLength: 32 });
    case 'bytes':
      return fc.uint8Array({ maxLength: 70 });
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 40 });
    case 'list':
      return fc.array(anyOf(type.of), { maxLength: 3 });
    case 'tuple':
      return fc.tuple(...type.of.map(anyOf));
  }
}

const typed = fc
  .array(typeText, { minLength: 1, maxLength: 4 })
  .map((types) => `(${types.join(',')})`)
  .chain((text) => anyOf(abiTuple(text)).map((values) => ({ text, values: values as readonly AbiValue[] })));

describe('values of any types', () => {
  it('are written as micro-eth-signer writes them, and read as they were', () => {
    fc.assert(
      fc.property(typed, ({ text, values }) => {
        const types = abiTuple(text);
        const written = encodeAbi(types, values);
        expect(hex(written)).toBe(hex(encodeResult(text, values)));
        expect(decodeAbi(types, Uint8Array.from(written))).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });

  it('never make the reader throw anything but AbiError, or take long', () => {
    const damaged = fc.tuple(
      typed,
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
      fc.nat(),
    );
    fc.assert(
      fc.property(damaged, ([{ text, values }, changes, cut]) => {
        const types = abiTuple(text);
        const bytes = Uint8Array.from(encodeAbi(types, values));
        for (const [at, byte] of changes) bytes[at % Math.max(bytes.length, 1)] = byte;
        try {
          decodeAbi(types, bytes.subarray(0, bytes.length - (cut % 40)));
        } catch (error) {
          expect(error).toBeInstanceOf(AbiError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const word = (value: number | bigint) => BigInt(value).toString(16).padStart(64, '0');

describe('input that is refused', () => {
  const cases: [why: string, types: string, input: string][] = [
    ['an address of more than 20 bytes', '(address)', `01${'0'.repeat(62)}`],
    ['an int64 beyond its range', '(int64)', word(1n << 63n)],
    ['a uint8 beyond its range', '(uint8)', word(256)],
    ['a bool of 2', '(bool)', word(2)],
    ['nothing', '(uint256)', ''],
    ['half a word', '(uint256)', '00'.repeat(31)],
    ['an offset beyond the input', '(bytes)', word(64)],
    ['an enormous offset', '(bytes)', 'ff'.repeat(32)],
    ['a length beyond the input', '(bytes)', word(32) + word(33) + word(0)],
    ['an enormous list', '(uint256[])', word(32) + word(1n << 60n)],
    ['padding that is not 0', '(bytes)', `${word(32)}${word(1)}ff01${'00'.repeat(30)}`],
    ['padding that is missing', '(bytes)', `${word(32)}${word(1)}ff`],
    ['two lists in one place', '(uint256[],uint256[])', word(64) + word(64) + word(2) + word(5) + word(6)],
  ];
  it.each(cases)('%s', (_, types, input) => {
    expect(() => decodeAbi(abiTuple(types), bytesOf(input))).toThrow(AbiError);
  });

  it('lets bytes behind the last argument be', () => {
    expect(decodeAbi(abiTuple('(uint256)'), bytesOf(word(5) + word(6)))).toEqual([5n]);
  });
});

it('knows no type that system contracts do not use', () => {
  for (const text of ['(fixed)', '(uint256', '(uint256)x', '(address,)', '(bytes4)']) {
    expect(() => abiTuple(text)).toThrow(RangeError);
  }
});

it('has a table for every address', () => {
  expect([...systemContracts.keys()]).toEqual([0x167n, 0x168n, 0x169n, 0x16an, 0x16bn, 0x16cn, 0x16en]);
  expect(hex(encodeCall('redirectForToken(address,bytes)', [5n, bytesOf('06fdde03')])).slice(0, 8)).toBe('618dc65e');
});
