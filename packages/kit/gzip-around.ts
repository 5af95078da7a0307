// A gzip file of three parts, the longest of which was compressed before (RFC 1951, 1952): the first and the last are
// stored as they are, and the check of the whole is put together from those of the parts.
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { copyAlone } from './copy-alone.ts';

/** Blocks of deflate, none of which is the last. */
export type DeflatedPart = {
  blocks: Buffer;
  /** Before compression. */
  sizeBytes: number;
  crc: number;
  /** What moves the check of something before it past this part: x^(8 · sizeBytes). */
  shift: number;
};

/** They end with a whole byte. Level 1: as other answers. */
const options = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };
const deflateAside = promisify(deflateRaw) as (part: Buffer, given: typeof options) => Promise<Uint8Array>;

/** Below `maxBytesInPlace` at once, above on the thread pool. */
export function deflatePart(part: Buffer, maxBytesInPlace: number): DeflatedPart | Promise<DeflatedPart> {
  const sizeBytes = part.length;
  const toPart = (blocks: Uint8Array): DeflatedPart => ({
    ...{ blocks: copyAlone(blocks), sizeBytes, crc: crc32(part), shift: powerOfX(8 * sizeBytes) },
  });
  return sizeBytes <= maxBytesInPlace
    ? toPart(deflateRawSync(part, options))
    : deflateAside(part, options).then(toPart);
}

/** The file in three pieces. `head` and `tail`: ASCII, at most 65,535 bytes each. */
export function gzipAround(head: string, { blocks, sizeBytes, crc, shift }: DeflatedPart, tail: string): Buffer[] {
  const before = Buffer.allocUnsafe(fileHead.length + blockHeadBytes + head.length);
  writeStored(before, fileHead.copy(before), head, false);
  const after = Buffer.allocUnsafe(blockHeadBytes + tail.length + 8);
  const end = writeStored(after, 0, tail, true);
  const checkedSoFar = multiply(shift, crc32(head)) ^ crc;
  after.writeUInt32LE(crc32(tail, checkedSoFar >>> 0), end);
  after.writeUInt32LE((head.length + sizeBytes + tail.length) % 2 ** 32, end + 4);
  return [before, blocks, after];
}

/** Deflate, no name, no time, fastest, Unix. */
const fileHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3]);
/** A bit whether it is the last, two of kind 0, then the length and its complement. */
const blockHeadBytes = 5;

/** @returns the place behind it */
function writeStored(target: Buffer, at: number, text: string, isLast: boolean): number {
  target[at] = isLast ? 1 : 0;
  target.writeUInt16LE(text.length, at + 1);
  target.writeUInt16LE(text.length ^ 0xffff, at + 3);
  return at + blockHeadBytes + target.write(text, at + blockHeadBytes, 'latin1');
}

// Polynomials over GF(2), reflected as CRC-32 has them: the highest bit is the coefficient of x^0.
const one = 0x80000000;
const x = 0x40000000;
const modulus = 0xedb88320;

function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ modulus : shifted >>> 1;
  }
  return product >>> 0;
}

function powerOfX(exponent: number): number {
  let [power, square] = [one, x];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  return power;
}
