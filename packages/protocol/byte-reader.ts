// Reads big-endian stream bytes and refuses to read beyond their end. Slices are views of the given buffer.
import { StreamFileError } from './stream-file-error.ts';

export type ByteReader = {
  offset(): number;
  remaining(): number;
  byte(part: string): number;
  int32(part: string): number;
  int64(part: string): bigint;
  bytes(length: number, part: string): Buffer;
  /** A four-byte length and that many bytes. */
  lengthPrefixed(part: string): Buffer;
  expectByte(value: number, part: string): void;
  expectInt32(value: number, part: string): void;
  expectInt64(value: bigint, part: string): void;
  /** Throws if anything is left. */
  end(part: string): void;
};

export function createByteReader(buffer: Buffer): ByteReader {
  let offset = 0;

  function advance(length: number, part: string): number {
    if (length < 0 || length > buffer.length - offset) {
      const missing = length < 0 ? `a length of ${length}` : `only ${buffer.length - offset} left at byte ${offset}`;
      throw new StreamFileError('truncated', part, length < 0 ? 'a length of at least 0' : `${length} bytes`, missing);
    }
    const at = offset;
    offset += length;
    return at;
  }

  function expect(value: number | bigint, found: number | bigint, length: number, part: string): void {
    if (value === found) return;
    throw new StreamFileError('malformed', part, `${value}`, `${found} at byte ${offset - length}`);
  }

  const reader: ByteReader = {
    offset: () => offset,
    remaining: () => buffer.length - offset,
    byte: (part) => buffer[advance(1, part)]!,
    int32: (part) => buffer.readInt32BE(advance(4, part)),
    int64: (part) => buffer.readBigInt64BE(advance(8, part)),
    bytes(length, part) {
      const at = advance(length, part);
      return buffer.subarray(at, at + length);
    },
    lengthPrefixed: (part) => reader.bytes(reader.int32(`length of ${part}`), part),
    expectByte: (value, part) => expect(value, reader.byte(part), 1, part),
    expectInt32: (value, part) => expect(value, reader.int32(part), 4, part),
    expectInt64: (value, part) => expect(value, reader.int64(part), 8, part),
    end(part) {
      if (offset === buffer.length) return;
      throw new StreamFileError(
        'trailingBytes',
        part,
        `the end at byte ${offset}`,
        `${buffer.length - offset} more bytes`,
      );
    },
  };
  return reader;
}
