// Reads the sidecar files that a proved record file names, each from the first node whose copy has the named hash.

import { gunzip } from '../../../packages/protocol/gunzip.ts';
import type { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { type StreamFileCopy, type StreamSource, StreamSourceError } from '../../../packages/sources/stream-source.ts';
import type { RecordFileSidecar } from '../../../packages/streams/record-stream/raw-record-file.ts';
import { readSidecarFile } from '../../../packages/streams/record-stream/sidecar-file.ts';
import { sidecarFileName } from '../../../packages/streams/record-stream/stream-file-name.ts';
import type { SidecarFileInfo } from '../../../packages/streams/stream/stream-block.ts';
import { toFailure } from './read-record-copy.ts';
import { failureOf, StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';

export type ReadSidecar = {
  info: SidecarFileInfo;
  /** The uncompressed file. */
  bytes: Buffer;
  records: proto.ITransactionSidecarRecord[];
  /** Why it has no records; null: it can be read. */
  problem: string | null;
  /** Existing copies that are not the one named by the record file. */
  rejected: StreamCheckFailure[];
};

export type ReadSidecarsOptions = {
  source: StreamSource;
  /** Nodes to ask, in this order. */
  copies: readonly StreamFileCopy[];
  recordName: string;
  sidecars: readonly RecordFileSidecar[];
};

/** In the order of the record file. Throws StreamCheckError if no node has a valid copy of one. */
export async function readSidecars(options: ReadSidecarsOptions): Promise<ReadSidecar[]> {
  return Promise.all(options.sidecars.map((sidecar) => readSidecar(options, sidecar)));
}

async function readSidecar(options: ReadSidecarsOptions, sidecar: RecordFileSidecar): Promise<ReadSidecar> {
  const { source, copies, recordName } = options;
  const { id, types, hash } = sidecar;
  const name = sidecarFileName(recordName, id);
  const failures: StreamCheckFailure[] = [];
  const missing: StreamCheckFailure[] = [];
  for (const copy of copies) {
    try {
      const file = await readSidecarCopy(source, copy, name);
      if (file.hash.equals(hash)) {
        const { bytes, records, problem, sizeBytes } = file;
        const info = { id, name: file.name, types, hash, count: records.length, sizeBytes };
        return { info, bytes, records, problem, rejected: failures };
      }
      failures.push(notNamed(copy, name, hash, file.hash));
    } catch (error) {
      (isMissing(error) ? missing : failures).push(toFailure(error, copy, name, 'sidecar'));
    }
  }
  throw new StreamCheckError([...failures, ...missing] as [StreamCheckFailure, ...StreamCheckFailure[]]);
}

/** null if the node has no copy, or one with the hash that the record file names. */
export async function checkSidecarCopy(
  source: StreamSource,
  copy: StreamFileCopy,
  { name, hash }: SidecarFileInfo,
): Promise<StreamCheckFailure | null> {
  try {
    const file = await readSidecarCopy(source, copy, name.replace(/(\.gz)?$/, '.gz'));
    return file.hash.equals(hash) ? null : notNamed(copy, name, hash, file.hash);
  } catch (error) {
    return isMissing(error) ? null : toFailure(error, copy, name, 'sidecar');
  }
}

function notNamed({ node }: StreamFileCopy, name: string, hash: Buffer, found: Buffer): StreamCheckFailure {
  return failureOf('sidecar', name, hash.toString('hex'), found.toString('hex'), { node: node.name });
}

/**
 * Compressed or not: in an unpacked folder the sidecars are unpacked, too. Throws StreamSourceError and
 * StreamFileError.
 * @param name of the compressed file
 */
async function readSidecarCopy(source: StreamSource, copy: StreamFileCopy, name: string) {
  try {
    const stored = await source.read(copy, { kind: 'sidecar', name });
    const bytes = gunzip(stored, 'sidecar file');
    return { ...readSidecarFile(bytes), name, bytes, sizeBytes: stored.length };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const plainName = name.replace(/\.gz$/, '');
    const bytes = await source.read(copy, { kind: 'sidecar', name: plainName }).catch((plainError: unknown) => {
      throw isMissing(plainError) ? error : plainError;
    });
    return { ...readSidecarFile(bytes), name: plainName, bytes, sizeBytes: bytes.length };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof StreamSourceError && error.code === 'missing';
}
