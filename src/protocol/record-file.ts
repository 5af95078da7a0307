// Record files of every generation, opened as far as their own layout goes: raw items, the hashes they name and the
// hashes their bytes have. Nothing is believed or checked against anything outside the file here.
import { readRecordFileV1, readRecordFileV2 } from './record-file-v2.ts';
import { readRecordFileV5 } from './record-file-v5.ts';
import { readRecordFileV6 } from './record-file-v6.ts';
import type { SemanticVersion } from './stream-block.ts';
import { StreamFileError } from './stream-file-error.ts';

/** Raw protobuf messages, byte for byte as in the file. */
export type RawItem = { transaction: Buffer; record: Buffer };

export type RecordFileSidecar = {
  id: number;
  /** SidecarType numbers. */
  types: number[];
  /** SHA-384 of the decompressed sidecar file. */
  hash: Buffer;
};

export type RecordFile = {
  version: number;
  /** null in v1 and v2. */
  hapiVersion: SemanticVersion | null;
  /** null before v6. */
  blockNumber: bigint | null;
  /** Previous file's hash (v1, v2) or start running hash (v5, v6). */
  previousHash: Buffer;
  /** What the next file names as its previous hash: file hash (v1, v2) or the end running hash named by the file. */
  hash: Buffer;
  fileHash: Buffer;
  /** null in v1 and v2. */
  metadataHash: Buffer | null;
  items: RawItem[];
  sidecars: RecordFileSidecar[];
};

const readers: Record<number, (bytes: Buffer) => RecordFile> = {
  1: readRecordFileV1,
  2: readRecordFileV2,
  5: readRecordFileV5,
  6: readRecordFileV6,
};

/** Decompressed bytes → record file. Throws StreamFileError when they are anything else. */
export function readRecordFile(bytes: Buffer): RecordFile {
  const version = bytes.length < 4 ? null : bytes.readInt32BE(0);
  if (version === null) {
    throw new StreamFileError('truncated', 'record file version', '4 bytes', `${bytes.length} bytes`);
  }
  const read = readers[version];
  if (!read) {
    const known = Object.keys(readers).join(', ');
    throw new StreamFileError('unsupported', 'record file version', `one of ${known}`, `${version}`);
  }
  return read(bytes);
}
