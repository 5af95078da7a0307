// Numbers that clients may also write as numbers of JSON, as Otterscan does.
import type { Kind } from './kind.ts';
import { type BlockReference, blockNumber, hexNumber } from './kinds.ts';

/** In hexadecimal, or as a number of JSON. */
export function numberUpTo(max: number, min = 0): Kind<number> {
  return {
    error: `Expected a number from ${min} to ${max}`,
    read(value) {
      const number = typeof value === 'string' ? Number(hexNumber.read(value) ?? Number.NaN) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

const anyNumber = numberUpTo(Number.MAX_SAFE_INTEGER);

/** A number, or a tag. */
export const plainBlockNumber: Kind<BlockReference> = {
  error: `${blockNumber.error}, or a number`,
  read(value) {
    if (typeof value === 'string') return blockNumber.read(value);
    const number = anyNumber.read(value);
    return number === undefined ? undefined : { kind: 'number', number: BigInt(number), text: String(number) };
  },
};
