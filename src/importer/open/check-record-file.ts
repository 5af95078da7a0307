// Whether a record file is the one that the network signed and the successor of the last: hashes are compared with the
// signed and named ones, and the running hash is computed from every item (which the Hiero mirror node does not check).
import { computeObjectRunningHash } from '../../../packages/streams/record-stream/object-running-hash.ts';
import type { RecordFile } from '../../../packages/streams/record-stream/raw-record-file.ts';
import type { StreamCheck, StreamCheckFailure } from './stream-check-error.ts';

export type ExpectedHashes = {
  /** null: unknown. */
  fileHash: Buffer | null;
  /** null: not signed (signature files of version 2). */
  metadataHash: Buffer | null;
  /** Hash of the last file; null or all zero at the start of a chain, where the file's own is accepted. */
  previousHash: Buffer | null;
};

export type RecordFileFailure = Pick<StreamCheckFailure, 'code' | 'expected' | 'found'>;

/** The first check that fails, null if all pass. */
export function checkRecordFile(file: RecordFile, expected: ExpectedHashes): RecordFileFailure | null {
  for (const check of recordFileChecks) {
    if (!check.applies(file, expected)) continue;
    const expectedHash = check.expect(file, expected);
    const found = check.find(file);
    if (found && expectedHash?.equals(found)) continue;
    return { code: check.code, expected: toHex(expectedHash), found: toHex(found) };
  }
  return null;
}

/** The checks that apply to this file, for reports. */
export function appliedChecks(file: RecordFile, expected: ExpectedHashes): StreamCheck[] {
  return recordFileChecks.filter((check) => check.applies(file, expected)).map(({ code }) => code);
}

type RecordFileCheck = {
  code: StreamCheck;
  applies(file: RecordFile, expected: ExpectedHashes): boolean;
  expect(file: RecordFile, expected: ExpectedHashes): Buffer | null;
  find(file: RecordFile): Buffer | null;
};

// In this order: another file is distinguished from a damaged one.
const recordFileChecks: RecordFileCheck[] = [
  {
    code: 'fileHash',
    applies: (_file, expected) => expected.fileHash !== null,
    expect: (_file, expected) => expected.fileHash,
    find: (file) => file.fileHash,
  },
  {
    code: 'metadataHash',
    applies: (_file, expected) => expected.metadataHash !== null,
    expect: (_file, expected) => expected.metadataHash,
    find: (file) => file.metadataHash,
  },
  {
    code: 'previousHash',
    applies: (_file, expected) => expected.previousHash?.some((byte) => byte !== 0) ?? false,
    expect: (_file, expected) => expected.previousHash,
    find: (file) => file.previousHash,
  },
  {
    code: 'runningHash',
    applies: (file) => file.version >= 5,
    expect: (file) => computeObjectRunningHash(file.previousHash, file.items),
    find: (file) => file.hash,
  },
];

function toHex(hash: Buffer | null): string {
  return hash ? hash.toString('hex') : 'none';
}
