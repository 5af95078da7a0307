// Whatever is asked of the system contracts, the machine does not throw, and every answer is one of its kinds.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AbiParameter, AbiType } from '../../abi/abi-type.ts';
import type { AbiValue } from '../../abi/abi-value.ts';
import { encodeValues } from '../../abi/encode-values.ts';
import { called, caller, nobody, people, tokens, tryAsk } from '../../test-support/evm/token-world.ts';
import { writeWord } from '../base/word.ts';
import type { SystemFunction } from './functions/function.ts';
import { systemContracts } from './system-contracts.ts';
import { allowanceViews, ercViews } from './tokens/erc-views.ts';
import { tokenViews } from './tokens/token-views.ts';
import { unsupportedAt, unsupportedAtToken } from './tokens/unsupported-functions.ts';
import { ercWrites } from './writes/erc-writes.ts';
import { tokenWrites } from './writes/token-writes.ts';
import { transferWrites } from './writes/transfer-functions.ts';

const addresses = [
  ...[0n, 1n, caller, called, nobody, 1001n, 1002n, 999_999n, 0x167n],
  ...Object.values(people).map(({ address }) => address),
  ...Object.values(tokens),
];

function anyOf(type: AbiType): fc.Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'bool':
      return fc.boolean();
    case 'fixedBytes':
      return fc.uint8Array({ minLength: type.size, maxLength: type.size });
    case 'bytes':
      return fc.uint8Array({ maxLength: 120 });
    case 'string':
      return fc.string({ maxLength: 10 });
    case 'list':
      return fc.array(anyOf(type.item), { maxLength: 3 });
    case 'tuple':
      return anyOfAll(type.members);
    default: {
      const { min, max } = type;
      const known = [...addresses, 5n, -5n, 40n, 401n, min, max].filter((value) => value >= min && value <= max);
      return fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 9 }, fc.bigInt({ min, max }));
    }
  }
}

function anyOfAll(parameters: readonly AbiParameter[]): fc.Arbitrary<AbiValue[]> {
  return fc.tuple(...parameters.map(({ type }) => anyOf(type)));
}

type Asked = { to: bigint; data: Uint8Array };

function callsOf(functions: readonly SystemFunction[], targets: readonly bigint[]): fc.Arbitrary<Asked> {
  return fc.constantFrom(...functions).chain(({ selector, inputs }) =>
    fc.record({
      to: fc.constantFrom(...targets),
      data: anyOfAll(inputs).map((args) => Buffer.concat([writeWord(BigInt(selector), 4), encodeValues(inputs, args)])),
    }),
  );
}

const asked = fc.oneof(
  callsOf(
    [...tokenViews, ...allowanceViews, ...tokenWrites, ...transferWrites, ...unsupportedAt('v1')],
    [0x167n, 0x16cn],
  ),
  callsOf([...ercViews, ...ercWrites, ...unsupportedAtToken], Object.values(tokens)),
  fc.record({ to: fc.constantFrom(...systemContracts.keys()), data: fc.uint8Array({ maxLength: 200 }) }),
);
const damaged = fc
  .tuple(asked, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }), fc.nat(64))
  .map(([{ to, data }, changes, cut]): Asked => {
    const bytes = Uint8Array.from(data);
    for (const [at, byte] of changes) bytes[at % Math.max(bytes.length, 1)] = byte;
    return { to, data: bytes.subarray(0, Math.max(bytes.length - cut, 0)) };
  });

const kinds = ['finished', 'notSupported'];
const statuses = ['SUCCESS', 'CONTRACT_REVERT_EXECUTED', 'CONTRACT_EXECUTION_EXCEPTION', 'INSUFFICIENT_GAS'];

describe('any input', () => {
  it.each([
    { inputs: asked, name: 'of the right form', ends: ['notSupported', ...statuses.slice(0, 3)] },
    { inputs: damaged, name: 'that is damaged', ends: ['SUCCESS', 'CONTRACT_EXECUTION_EXCEPTION'] },
  ])('$name has an answer', ({ inputs, ends }) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(inputs, fc.constantFrom('0.66', '0.67'), ({ to, data }, version) => {
        const gasLimit = 5_000_000;
        const result = tryAsk({ version, signature: 'f()', transaction: { to, data, gasLimit } });
        expect(kinds).toContain(result.kind);
        seen.add(result.kind);
        if (result.kind !== 'finished') return;
        seen.add(result.status);
        expect(statuses).toContain(result.status);
        expect(result.gasConsumed).toBeLessThanOrEqual(gasLimit);
      }),
      { numRuns: 800 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(ends));
  });
});
