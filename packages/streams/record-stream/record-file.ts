// Record files of every generation, parsed as far as their own layout goes: raw items, the hashes they name and the
// hashes of their bytes. Nothing is trusted or checked against anything outside the file here.

import { StreamFileError } from '../../protocol/stream-file-error.ts';
import type { RecordFile } from './raw-record-file.ts';
import { readRecordFileV1, readRecordFileV2 } from './record-file-v2.ts';
import { readRecordFileV5 } from './record-file-v5.ts';
import { readRecordFileV6 } from './record-file-v6.ts';

const readers: Record<number, (bytes: Buffer) => RecordFile> = {
  1: readRecordFileV1,
  2: readRecordFileV2,
  5: readRecordFileV5,
  6: readRecordFileV6,
};

/** Decompressed bytes → record file. Throws StreamFileError if they are anything else. */
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
