import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proto } from '../../protocol/hapi/hapi.ts';
import { sha384 } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { writeRecordFileV6 } from '../../simulated-network/formats/write-record-file.ts';
import { computeObjectRunningHash } from './object-running-hash.ts';
import type { RawItem } from './raw-record-file.ts';
import { readRecordFile } from './record-file.ts';
import { writeRecordFileV2 } from './record-file-v2.ts';
import { writeRecordFileV5 } from './record-file-v5.ts';

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const hash = fc.uint8Array({ minLength: 48, maxLength: 48 }).map((array) => Buffer.from(array));
const int32 = fc.nat(2 ** 31 - 1);
const hapiVersion = fc.record({ major: int32, minor: int32, patch: int32 });
const item: fc.Arbitrary<RawItem> = fc.record({ transaction: bytes, record: bytes });

function metadataHashOf(
  { hapiVersion, startRunningHash, blockNumber }: Parameters<typeof writeRecordFileV6>[0],
  end: Buffer,
): Buffer {
  const head = Buffer.alloc(16);
  [6, hapiVersion.major, hapiVersion.minor, hapiVersion.patch].map((part, index) => head.writeInt32BE(part, index * 4));
  const tail = Buffer.alloc(8);
  tail.writeBigInt64BE(blockNumber);
  return sha384(head, startRunningHash, end, tail);
}

describe('what is written is read', () => {
  it('version 2', () => {
    fc.assert(
      fc.property(hash, fc.array(item), (previousHash, items) => {
        const written = writeRecordFileV2({ previousHash, items });
        const fileHash = sha384(written.subarray(0, 57), sha384(written.subarray(57)));
        expect(readRecordFile(written)).toEqual({
          version: 2,
          hapiVersion: null,
          blockNumber: null,
          previousHash,
          hash: fileHash,
          fileHash,
          metadataHash: null,
          items,
          sidecars: [],
        });
      }),
    );
  });

  it('version 5', () => {
    fc.assert(
      fc.property(hash, hapiVersion, fc.array(item, { minLength: 1 }), (startRunningHash, version, items) => {
        const written = writeRecordFileV5({ startRunningHash, hapiVersion: version, items });
        expect(readRecordFile(written)).toEqual({
          version: 5,
          hapiVersion: version,
          blockNumber: null,
          previousHash: startRunningHash,
          hash: computeObjectRunningHash(startRunningHash, items),
          fileHash: sha384(written),
          metadataHash: sha384(written.subarray(0, 88), written.subarray(-68)),
          items,
          sidecars: [],
        });
      }),
    );
  });

  it('version 6', () => {
    const sidecar = fc.record({ id: fc.integer({ min: 1, max: 99 }), types: fc.subarray([1, 2, 3]), hash });
    const blockNumber = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(
        fc.record({
          startRunningHash: hash,
          hapiVersion,
          items: fc.array(item),
          blockNumber,
          sidecars: fc.array(sidecar),
        }),
        (options) => {
          const written = writeRecordFileV6(options);
          const endRunningHash = computeObjectRunningHash(options.startRunningHash, options.items);
          expect(readRecordFile(written)).toEqual({
            version: 6,
            hapiVersion: options.hapiVersion,
            blockNumber: options.blockNumber,
            previousHash: options.startRunningHash,
            hash: endRunningHash,
            fileHash: sha384(written),
            metadataHash: metadataHashOf(options, endRunningHash),
            items: options.items,
            sidecars: options.sidecars,
          });
        },
      ),
    );
  });

  it('version 6, as the generated decoder of the field sees it', () => {
    const startRunningHash = Buffer.alloc(48, 1);
    const items = [
      { transaction: Buffer.alloc(0), record: Buffer.from(proto.TransactionRecord.encode({ memo: 'm' }).finish()) },
    ];
    const written = writeRecordFileV6({
      startRunningHash,
      hapiVersion: { major: 0, minor: 66, patch: 2 },
      items,
      blockNumber: 42n,
      sidecars: [{ id: 1, types: [2, 3], hash: Buffer.alloc(48, 9) }],
    });
    const file = proto.RecordStreamFile.decode(written.subarray(4));
    expect(file.hapiProtoVersion).toMatchObject({ major: 0, minor: 66, patch: 2 });
    expect(file.recordStreamItems[0]?.record?.memo).toBe('m');
    const hash = computeObjectRunningHash(startRunningHash, items);
    expect(file.endObjectRunningHash).toMatchObject({ algorithm: 1, length: 48, hash });
    expect(Number(file.blockNumber)).toBe(42);
    expect(file.sidecars[0]).toMatchObject({ id: 1, types: [2, 3] });
  });
});

it('the running hash is the same item by item', () => {
  fc.assert(
    fc.property(hash, fc.array(item, { minLength: 1 }), fc.nat(), (startRunningHash, items, cut) => {
      const version = { major: 0, minor: 1, patch: 0 };
      const first = computeObjectRunningHash(startRunningHash, items.slice(0, cut));
      const all = computeObjectRunningHash(first, items.slice(cut));
      const whole = writeRecordFileV5({ startRunningHash, hapiVersion: version, items });
      expect(all).toEqual(readRecordFile(whole).hash);
    }),
  );
});

describe('what is no record file', () => {
  const items = [{ transaction: Buffer.of(1), record: Buffer.of(2) }];
  const startRunningHash = Buffer.alloc(48, 3);
  const version = { major: 0, minor: 1, patch: 0 };
  const v2 = writeRecordFileV2({ previousHash: startRunningHash, items });
  const v5 = writeRecordFileV5({ startRunningHash, hapiVersion: version, items });
  const v6 = writeRecordFileV6({ startRunningHash, hapiVersion: version, items, blockNumber: 1n });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a version', Buffer.of(0, 0, 0)],
    ['an unknown version', Buffer.of(0, 0, 0, 7)],
    ['version 5 without items', Buffer.concat([v5.subarray(0, 88), v5.subarray(-68)])],
    ['version 5 with more behind it', Buffer.concat([v5, Buffer.of(0)])],
    ['version 6 without anything', v6.subarray(0, 4)],
  ])('%s', (_name, file) => expect(() => readRecordFile(file)).toThrow(StreamFileError));

  it.each([
    ['2', v2],
    ['5', v5],
    ['6', v6],
  ])('version %s cut anywhere but between its items', (_version, file) => {
    for (let length = 0; length < file.length; length++) {
      if (file === v2 && length === 57) continue; // No item at all is a whole file too.
      if (file === v6 && length === file.length - 2) continue; // The block number is the last field; absent is 0.
      expect(() => readRecordFile(file.subarray(0, length)), `${length} bytes`).toThrow(StreamFileError);
    }
  });

  it('any bytes behind a version', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 5, 6), fc.uint8Array({ maxLength: 300 }), (first, rest) => {
        try {
          readRecordFile(Buffer.concat([Buffer.of(0, 0, 0, first), rest]));
        } catch (error) {
          expect(error).toBeInstanceOf(StreamFileError);
        }
      }),
    );
  });
});
