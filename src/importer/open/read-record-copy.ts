// Reads one node's copy of a record file and compares it with the signed hashes. A bad copy is a failure to report, not
// an
// exception: another node's may be good.

import { gunzip } from '../../../packages/protocol/gunzip.ts';
import { type StreamFileCopy, type StreamSource, StreamSourceError } from '../../../packages/sources/stream-source.ts';
import type { RecordFile } from '../../../packages/streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../../packages/streams/record-stream/record-file.ts';
import { checkRecordFile, type ExpectedHashes } from './check-record-file.ts';
import { failureOf, findFault, type StreamCheckFailure } from './stream-check-error.ts';

/** `bytes`: uncompressed. */
export type ReadRecordCopy = { file: RecordFile; bytes: Buffer; name: string; sizeBytes: number };

export async function readRecordCopy(
  source: StreamSource,
  copy: StreamFileCopy,
  expected: ExpectedHashes,
): Promise<ReadRecordCopy | StreamCheckFailure> {
  const name = copy.recordName;
  const node = copy.node.name;
  if (name === null) {
    return failureOf('missing', copy.signatureName ?? '', 'a record file', 'none', { node, transient: true });
  }
  try {
    const stored = await source.read(copy, { kind: 'record' });
    const bytes = name.endsWith('.gz') ? gunzip(stored, 'record file') : stored;
    const file = readRecordFile(bytes);
    const failure = checkRecordFile(file, expected);
    if (failure) return failureOf(failure.code, name, failure.expected, failure.found, { node });
    return { file, bytes, name, sizeBytes: stored.length };
  } catch (error) {
    const isMissing = error instanceof StreamSourceError && error.code === 'missing';
    return toFailure(error, copy, name, isMissing ? 'missing' : 'format');
  }
}

/** A reading problem as a failure of this copy. Rethrows other errors. */
export function toFailure(
  error: unknown,
  { node }: StreamFileCopy,
  file: string,
  code: StreamCheckFailure['code'],
): StreamCheckFailure {
  const fault = findFault(error);
  if (!fault) throw error;
  return { code, file, node: node.name, ...fault };
}
