// Values written and read against the coders of ethers and micro-eth-signer, and what is refused.
import { AbiCoder, ParamType } from 'ethers/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AbiSample, abiSample, type SampleValue } from '../../packages/test-support/evm/abi-values.ts';
import { encodeResult } from '../../packages/test-support/evm/signer-abi.ts';
import { type AbiParameter, type AbiType, parseParameters, textOf, toAbiType } from './abi-type.ts';
import type { AbiValue } from './abi-value.ts';
import { decodeParameters } from './decode-parameters.ts';
import { decodeValues } from './decode-values.ts';
import { encodeValues } from './encode-values.ts';
import { AbiError } from './walk-data.ts';

const coder = AbiCoder.defaultAbiCoder();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text.replace(/\s/g, ''), 'hex'));

type Typed = { parameters: AbiParameter[]; values: AbiValue[]; encoded: Uint8Array };

function toParameter({ type, components }: AbiSample['parameter']): AbiParameter {
  return { name: '', type: toAbiType(type, components?.map(toParameter) ?? null)! };
}

/** Ethers takes addresses and bytes as text. */
function toValue(type: AbiType, value: SampleValue): AbiValue {
  if (type.kind === 'list') return (value as SampleValue[]).map((item) => toValue(type.item, item));
  if (type.kind === 'tuple') {
    return (value as SampleValue[]).map((member, index) => toValue(type.members[index]!.type, member));
  }
  if (type.kind === 'address') return BigInt(value as string);
  return type.kind.endsWith('ytes') ? bytesOf((value as string).slice(2)) : (value as AbiValue);
}

/** Values of random types, with the data that ethers makes of them. */
const typed: fc.Arbitrary<Typed> = fc.array(abiSample({ depth: 3 }), { minLength: 1, maxLength: 4 }).map((samples) => {
  const parameters = samples.map(({ parameter }) => toParameter(parameter));
  const text = coder.encode(
    samples.map(({ parameter }) => ParamType.from(parameter)),
    samples.map(({ value }) => value),
  );
  const values = samples.map(({ value }, index) => toValue(parameters[index]!.type, value));
  return { parameters, values, encoded: bytesOf(text.slice(2)) };
});

describe('values of any types', () => {
  it('are written as ethers writes them, and read as they were', () => {
    fc.assert(
      fc.property(typed, ({ parameters, values, encoded }) => {
        expect(hex(encodeValues(parameters, values))).toBe(hex(encoded));
        expect(decodeValues(parameters, encoded)).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });

  it('are written as micro-eth-signer writes them', () => {
    const isTaken = ({ parameters }: Typed) => !/\[\d|bytes\d/.test(textOf(parameters));
    fc.assert(
      fc.property(typed.filter(isTaken), ({ parameters, values }) => {
        expect(hex(encodeValues(parameters, values))).toBe(hex(encodeResult(`(${textOf(parameters)})`, values)));
      }),
    );
  });

  it('have types that are read from their text', () => {
    fc.assert(
      fc.property(typed, ({ parameters }) => {
        expect(parseParameters(`(${textOf(parameters)})`)).toEqual(parameters);
      }),
    );
  });
});

/** Damaged at some places, cut, words repeated: as an attacker would have them. */
const damaged = fc
  .tuple(
    typed,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
    fc.nat(),
  )
  .map(([{ parameters, encoded }, changes, copies, cut]) => {
    const bytes = Uint8Array.from(encoded);
    const words = bytes.length / 32;
    for (const [from, to] of copies)
      bytes.copyWithin((to % words) * 32, (from % words) * 32, ((from % words) + 1) * 32);
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
    return { parameters, bytes: bytes.subarray(0, bytes.length - (cut % 40)) };
  });

describe('damaged data', () => {
  it('is refused by an AbiError, or is what these values are written as', () => {
    fc.assert(
      fc.property(damaged, ({ parameters, bytes }) => {
        const values = decodeOrNull(parameters, bytes);
        if (values === null) return;
        // What is read says the same again; offsets may have led elsewhere, so the data may be longer than needed.
        const written = encodeValues(parameters, values);
        const hasText = textOf(parameters).includes('string'); // Replacement characters are longer.
        if (!hasText) expect(written.length).toBeLessThanOrEqual(bytes.length);
        expect(decodeValues(parameters, written)).toEqual(values);
      }),
      { numRuns: 500 },
    );
  });

  it('is shown as the values that are computed with', () => {
    fc.assert(
      fc.property(damaged, ({ parameters, bytes }) => {
        const values = decodeOrNull(parameters, bytes);
        const shown = decodeParameters(parameters, Buffer.from(bytes), { maxValues: 1e6, maxText: 1e6 });
        if (values === null) return;
        expect(shown).toEqual(decodeParameters(parameters, encodeValues(parameters, values)));
      }),
      { numRuns: 500 },
    );
  });
});

function decodeOrNull(parameters: readonly AbiParameter[], bytes: Uint8Array): AbiValue[] | null {
  try {
    return decodeValues(parameters, bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(AbiError);
    return null;
  }
}

const word = (value: number | bigint) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');

describe('data that is refused', () => {
  const cases: [why: string, types: string, input: string][] = [
    ['an address of more than 20 bytes', '(address)', `01${'0'.repeat(62)}`],
    ['an int64 beyond its range', '(int64)', word(1n << 63n)],
    ['an int64 below its range', '(int64)', word(-(1n << 63n) - 1n)],
    ['a uint8 beyond its range', '(uint8)', word(256)],
    ['a bool of 2', '(bool)', word(2)],
    ['bytes4 with a fifth', '(bytes4)', `${'01'.repeat(5)}${'00'.repeat(27)}`],
    ['nothing', '(uint256)', ''],
    ['half a word', '(uint256)', '00'.repeat(31)],
    ['the second of two missing', '(uint256,uint256)', word(1)],
    ['an offset beyond the input', '(bytes)', word(64)],
    ['an enormous offset', '(bytes)', 'ff'.repeat(32)],
    ['an offset that a number cannot say', '(bytes)', word(2n ** 53n + 1n)],
    ['a length beyond the input', '(bytes)', word(32) + word(33) + word(0)],
    ['an enormous list', '(uint256[])', word(32) + word(1n << 60n)],
    ['a fixed list cut', '(uint256[3])', word(1) + word(2)],
    ['padding that is not 0', '(bytes)', `${word(32)}${word(1)}ff01${'00'.repeat(30)}`],
    ['padding that is missing', '(bytes)', `${word(32)}${word(1)}ff`],
    ['two lists in one place', '(uint256[],uint256[])', word(64) + word(64) + word(2) + word(5) + word(6)],
    ['a list within itself', '(uint256[][])', word(32) + word(1) + word(0)],
  ];
  it.each(cases)('%s', (_, types, input) => {
    expect(() => decodeValues(parseParameters(types), bytesOf(input))).toThrow(AbiError);
  });

  it('lets bytes behind the last argument be', () => {
    expect(decodeValues(parseParameters('(uint256)'), bytesOf(word(5) + word(6)))).toEqual([5n]);
  });

  it('costs no more than its length: lists of lists that all lead to one place', () => {
    // 2^16 × 2^16 values, if every offset were followed.
    const count = 1 << 16;
    const types = parseParameters('(uint256[][])');
    const offsets = Buffer.alloc(32 * count);
    for (let item = 0; item < count; item++) offsets.writeUInt32BE(32 * count, 32 * item + 28);
    const list = Buffer.alloc(32 * (count + 1), 1);
    list.write(word(count), 0, 'hex');
    const data = Buffer.concat([bytesOf(word(32)), bytesOf(word(count)), offsets, list]);
    const started = process.cpuUsage();
    expect(() => decodeValues(types, data)).toThrow('overlap');
    expect(decodeParameters(types, data)![0]!.omitted).toBeGreaterThan(count - 2_001);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000);
  });
});

describe('values that do not fit', () => {
  const cases: [why: string, types: string, values: AbiValue[]][] = [
    ['a uint8 of 256', '(uint8)', [256n]],
    ['a negative uint256', '(uint256)', [-1n]],
    ['an int8 of −129', '(int8)', [-129n]],
    ['an address of 21 bytes', '(address)', [1n << 160n]],
    ['3 bytes for bytes4', '(bytes4)', [Uint8Array.of(1, 2, 3)]],
    ['one value too few', '(uint8,uint8)', [1n]],
    ['one item too many', '(uint8[1])', [[1n, 2n]]],
    ['one member too few', '((uint8,bool))', [[1n]]],
  ];
  it.each(cases)('%s', (_, types, values) => {
    expect(() => encodeValues(parseParameters(types), values)).toThrow(RangeError);
  });
});

it.each([
  ...['(fixed)', '(uint256', '(uint256)x', '(address,)', '(,address)', '()()', '(())', 'address', '', '('],
  ...['(uint7)', '(bytes33)', '(uint8[0])', '(uint8[)', '((uint8)', '(tuple)', '(uint8 )'],
])('%s is no list of types', (text) => {
  expect(() => parseParameters(text)).toThrow(RangeError);
});

it('no parameters are a list of types', () => {
  expect(parseParameters('()')).toEqual([]);
  expect(decodeValues([], new Uint8Array(0))).toEqual([]);
});
