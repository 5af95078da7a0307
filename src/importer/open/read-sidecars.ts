// Reads the sidecar files that a proved record file names, each from the first node whose copy has the named hash.
import { gunzip } from '../../protocol/gunzip.ts';
import type { proto } from '../../protocol/hapi/hapi.ts';
import type { RecordFileSidecar } from '../../protocol/record-stream/raw-record-file.ts';
import { readSidecarFile } from '../../protocol/record-stream/sidecar-file.ts';
import { sidecarFileName } from '../../protocol/record-stream/stream-file-name.ts';
import type { SidecarFileInfo } from '../../protocol/stream-block.ts';
import type { StreamFileCopy, StreamSource } from '../../source/stream-source.ts';
import { toFailure } from './read-record-copy.ts';
import { StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';

export type ReadSidecar = { info: SidecarFileInfo; records: proto.ITransactionSidecarRecord[] };

export type ReadSidecarsOptions = {
  source: StreamSource;
  /** Nodes to ask, in this order. */
  copies: readonly StreamFileCopy[];
  recordName: string;
  sidecars: readonly RecordFileSidecar[];
};

/** In the order of the record file. Throws StreamCheckError when no node has a valid copy of one. */
export async function readSidecars(options: ReadSidecarsOptions): Promise<ReadSidecar[]> {
  return Promise.all(options.sidecars.map((sidecar) => readSidecar(options, sidecar)));
}

async function readSidecar(options: ReadSidecarsOptions, sidecar: RecordFileSidecar): Promise<ReadSidecar> {
  const { source, copies, recordName } = options;
  const { id, types, hash } = sidecar;
  const name = sidecarFileName(recordName, id);
  const failures: StreamCheckFailure[] = [];
  for (const copy of copies) {
    try {
      const stored = await source.read(copy, { kind: 'sidecar', name });
      const file = readSidecarFile(gunzip(stored, 'sidecar file'));
      if (file.hash.equals(hash)) {
        const info = { id, name, types, hash, count: file.records.length, sizeBytes: stored.length };
        return { info, records: file.records };
      }
      failures.push({
        code: 'sidecar',
        file: name,
        node: copy.node.name,
        expected: hash.toString('hex'),
        found: file.hash.toString('hex'),
        transient: false,
      });
    } catch (error) {
      failures.push(toFailure(error, copy, name, 'sidecar'));
    }
  }
  throw new StreamCheckError(failures as [StreamCheckFailure, ...StreamCheckFailure[]]);
}
