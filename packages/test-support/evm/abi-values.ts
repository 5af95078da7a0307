// Random types of the contract ABI with a value of each, in the forms that different coders take.
import fc from 'fast-check';

export type AbiSample = {
  /** As in an ABI; without names. */
  parameter: { name: string; type: string; components?: AbiSample['parameter'][] };
  /** bigint, boolean, text (also addresses and bytes, as 0x and hex), lists of them. */
  value: SampleValue;
  /** As a person types it in a list. */
  typed: string;
};

export type SampleValue = bigint | boolean | string | SampleValue[];

const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

function sample(type: string, value: fc.Arbitrary<SampleValue>): fc.Arbitrary<AbiSample> {
  return value.map((one) => ({
    parameter: { name: '', type },
    value: one,
    typed: type === 'string' ? JSON.stringify(one) : String(one),
  }));
}

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8);
const element = fc.oneof(
  bits.chain((size) => sample(`uint${size}`, fc.bigInt({ min: 0n, max: 2n ** BigInt(size) - 1n }))),
  bits.chain((size) =>
    sample(`int${size}`, fc.bigInt({ min: -(2n ** BigInt(size - 1)), max: 2n ** BigInt(size - 1) - 1n })),
  ),
  sample('bool', fc.boolean()),
  sample('address', fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hexOf)),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => sample(`bytes${size}`, fc.uint8Array({ minLength: size, maxLength: size }).map(hexOf))),
  sample('bytes', fc.uint8Array({ maxLength: 70 }).map(hexOf)),
  sample('string', fc.string({ unit: 'grapheme', maxLength: 40 })),
);

type Shape = { depth: number };

/** Lists and tuples within each other up to this depth. */
export function abiSample({ depth }: Shape): fc.Arbitrary<AbiSample> {
  if (depth === 0) return element;
  const inner = abiSample({ depth: depth - 1 });
  return fc.oneof({ weight: 2, arbitrary: element }, tupleOf(inner), listOf(inner));
}

function tupleOf(inner: fc.Arbitrary<AbiSample>): fc.Arbitrary<AbiSample> {
  return fc.array(inner, { minLength: 1, maxLength: 3 }).map((members) => ({
    parameter: { name: '', type: 'tuple', components: members.map(({ parameter }) => parameter) },
    value: members.map(({ value }) => value),
    typed: `(${members.map(({ typed }) => typed).join(', ')})`,
  }));
}

/** Its items have the type of the first; a list has at most one value several times. */
function listOf(inner: fc.Arbitrary<AbiSample>): fc.Arbitrary<AbiSample> {
  return fc.tuple(inner, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(([item, length, isFixed]) => ({
    parameter: { ...item.parameter, type: `${item.parameter.type}[${isFixed ? length : ''}]` },
    value: Array.from({ length }, () => item.value),
    typed: `[${Array.from({ length }, () => item.typed).join(',')}]`,
  }));
}
