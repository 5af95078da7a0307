import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { writeSignatureFileV6 } from '../../simulated-network/formats/write-signature-file.ts';
import { writeSignatureFileV2, writeSignatureFileV5 } from '../../test-support/streams/write-old-signatures.ts';
import { readSignatureFile } from './signature-file.ts';

const signedHash = fc.record({
  hash: fc.uint8Array({ minLength: 48, maxLength: 48 }).map((bytes) => Buffer.from(bytes)),
  signature: fc.uint8Array({ minLength: 1, maxLength: 384 }).map((bytes) => Buffer.from(bytes)),
});

const file = { hash: Buffer.alloc(48, 1), signature: Buffer.alloc(384, 2) };
const metadata = { hash: Buffer.alloc(48, 3), signature: Buffer.alloc(384, 4) };
// Lengths of real files with RSA-3072 signatures.
const written: [version: number, bytes: Buffer, length: number][] = [
  [2, writeSignatureFileV2(file), 438],
  [5, writeSignatureFileV5(file, metadata), 957],
  [6, writeSignatureFileV6(file, metadata), 925],
];

describe('signature files', () => {
  it.each(written)('of version %i are as long as real ones', (_version, bytes, length) => {
    expect(bytes).toHaveLength(length);
  });

  it('are read as written', () => {
    fc.assert(
      fc.property(signedHash, signedHash, (a, b) => {
        expect(readSignatureFile(writeSignatureFileV2(a))).toEqual({ version: 2, file: a, metadata: null });
        expect(readSignatureFile(writeSignatureFileV5(a, b))).toEqual({ version: 5, file: a, metadata: b });
        expect(readSignatureFile(writeSignatureFileV6(a, b))).toEqual({ version: 6, file: a, metadata: b });
      }),
    );
  });

  it.each(written)('of version %i are refused when cut anywhere', (_version, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readSignatureFile(bytes.subarray(0, length)), `${length} bytes`).toThrow(StreamFileError);
    }
  });

  it.each([
    ['an unknown version', Buffer.of(3)],
    ['more behind it', Buffer.concat([written[1]![1], Buffer.of(0)])],
    ['a signature that is too long', writeSignatureFileV2({ ...file, signature: Buffer.alloc(385) })],
    ['a wrong checksum of the length', flip(written[1]![1], 92)],
    ['no signature', writeSignatureFileV6({ ...file, signature: Buffer.alloc(0) }, metadata)],
    ['a short hash', writeSignatureFileV6(file, { ...metadata, hash: Buffer.alloc(47) })],
  ])('are refused with %s', (_name, bytes) => expect(() => readSignatureFile(bytes)).toThrow(StreamFileError));
});

function flip(bytes: Buffer, offset: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[offset]! ^= 1;
  return copy;
}
