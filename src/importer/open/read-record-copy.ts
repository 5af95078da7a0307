// Reads one node's copy of a record file and holds it against what was signed. A copy that fails is a failure to report,
// not an exception: another node's may be good.
import { gunzip } from '../../protocol/gunzip.ts';
import type { RecordFile } from '../../protocol/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../protocol/record-stream/record-file.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { type StreamFileCopy, type StreamSource, StreamSourceError } from '../../source/stream-source.ts';
import { checkRecordFile, type ExpectedHashes } from './check-record-file.ts';
import type { StreamCheckFailure } from './stream-check-error.ts';

/** `bytes`: without compression. */
export type ReadRecordCopy = { file: RecordFile; bytes: Buffer; name: string; sizeBytes: number };

export async function readRecordCopy(
  source: StreamSource,
  copy: StreamFileCopy,
  expected: ExpectedHashes,
): Promise<ReadRecordCopy | StreamCheckFailure> {
  const name = copy.recordName;
  if (name === null) {
    return { ...place(copy, copy.signatureName ?? ''), code: 'missing', expected: 'a record file', found: 'none' };
  }
  try {
    const stored = await source.read(copy, { kind: 'record' });
    const bytes = name.endsWith('.gz') ? gunzip(stored, 'record file') : stored;
    const file = readRecordFile(bytes);
    const failure = checkRecordFile(file, expected);
    return failure
      ? { ...place(copy, name), ...failure, transient: false }
      : { file, bytes, name, sizeBytes: stored.length };
  } catch (error) {
    return toFailure(error, copy, name, 'format');
  }
}

/** A reading problem as a failure of this copy. Rethrows what is none; where the place cannot be asked, nothing is known of the copy. */
export function toFailure(
  error: unknown,
  copy: StreamFileCopy,
  file: string,
  code: 'format' | 'sidecar',
): StreamCheckFailure {
  if (error instanceof StreamFileError) {
    const transient = error.problem === 'truncated';
    return {
      code,
      file,
      node: copy.node.name,
      expected: `${error.part}: ${error.expected}`,
      found: error.found,
      transient,
    };
  }
  if (error instanceof StreamSourceError && error.code !== 'unavailable') {
    const missing = error.code === 'missing';
    return {
      ...place(copy, file),
      code: missing && code === 'format' ? 'missing' : code,
      expected: 'a readable file',
      found: error.message,
      transient: missing,
    };
  }
  throw error;
}

function place(copy: StreamFileCopy, file: string): Pick<StreamCheckFailure, 'file' | 'node' | 'transient'> {
  return { file, node: copy.node.name, transient: true };
}
