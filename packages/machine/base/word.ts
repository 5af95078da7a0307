// Words of the machine: 256 bits without a sign, as bigint.
export const maxWord = (1n << 256n) - 1n;
const maxSigned = (1n << 255n) - 1n;
const wordRange = 1n << 256n;
const maxAddress = (1n << 160n) - 1n;
const wordLength = 32;
export const addressLength = 20;

/** Of a sum or product. A comparison costs two thirds of what BigInt.asUintN does. */
export function wrap(value: bigint): bigint {
  return value > maxWord ? value & maxWord : value;
}

export function toSigned(word: bigint): bigint {
  return word > maxSigned ? word - wordRange : word;
}

export function fromSigned(value: bigint): bigint {
  return value < 0n ? value + wordRange : value;
}

export function toAddress(word: bigint): bigint {
  return word > maxAddress ? word & maxAddress : word;
}

/** Of `length` bytes from `start` on, big endian; bytes beyond the end are 0. */
export function readWord(bytes: Uint8Array, start: number, length: number): bigint {
  let word = 0n;
  let at = start;
  // Six bytes at a time: numbers up to 2^48 are exact.
  for (let left = length; left > 0; ) {
    const size = left > 6 ? 6 : left;
    let part = 0;
    for (let end = at + size; at < end; at++) part = part * 256 + (at < bytes.length ? bytes[at]! : 0);
    word = (word << BigInt(size * 8)) | BigInt(part);
    left -= size;
  }
  return word;
}

/** The word in `length` bytes, big endian. */
export function writeWord(word: bigint, length = wordLength): Uint8Array {
  const bytes = new Uint8Array(length);
  let rest = word;
  for (let at = length; at > 0 && rest > 0n; at -= 6) {
    let part = Number(BigInt.asUintN(48, rest));
    rest >>= 48n;
    for (let place = at - 1; place >= at - 6 && place >= 0; place--) {
      bytes[place] = part % 256;
      part = Math.floor(part / 256);
    }
  }
  return bytes;
}
