// Values to compute with. Strict, as the ledger is: numbers within their type, bool 0 or 1, padding 0 and there. Bytes
// behind the last value are let be. No word is read twice, so that offsets that lead to the same place cannot make
// small data large.
import type { AbiParameter } from './abi-type.ts';
import type { AbiValue } from './abi-value.ts';
import { AbiError, type AbiForm, toInteger, walkData } from './walk-data.ts';

/** The values of these parameters, which `data` begins with. Throws AbiError. */
export function decodeValues(parameters: readonly AbiParameter[], data: Uint8Array): AbiValue[] {
  return walkData(parameters, data, exactForm(data.length >>> 5));
}

// One for all: each new one would collect a stack.
const outOfRange = new AbiError('A value is outside of its type');
const badPadding = new AbiError('Padding is missing, or not 0');
const overlap = new AbiError('Parts of the data overlap');

/** `words`: how many there are to read. */
function exactForm(words: number): AbiForm<AbiValue> {
  let wordsLeft = words;
  return {
    begin: () => {},
    take(count) {
      wordsLeft -= count;
      if (wordsLeft < 0) throw overlap;
    },
    isSpent: () => false,
    element(_, type, word) {
      if (type.kind === 'fixedBytes') {
        if (!isZero(word.subarray(type.size))) throw badPadding;
        return new Uint8Array(word.subarray(0, type.size));
      }
      const integer = toInteger(word);
      const value = type.min < 0n ? BigInt.asIntN(256, integer) : integer;
      if (value < type.min || value > type.max) throw outOfRange;
      return type.kind === 'bool' ? value === 1n : value;
    },
    content(_, { kind }, bytes, padding) {
      if ((bytes.length + padding.length) % 32 !== 0 || !isZero(padding)) throw badPadding;
      return kind === 'bytes' ? new Uint8Array(bytes) : toText(bytes);
    },
    list: (_, __, items) => items,
    tuple: (_, __, members) => members,
  };
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** As Java decodes: bytes that are no UTF-8 become replacement characters. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
