// Reads the sidecar files that a proved record file names, each from the first node whose copy has the named hash.
import type { proto } from '../../protocol/hapi/hapi.ts';
import type { RecordFileSidecar } from '../../protocol/record-stream/raw-record-file.ts';
import { sidecarFileName } from '../../protocol/record-stream/stream-file-name.ts';
import type { SidecarFileInfo } from '../../protocol/stream/stream-block.ts';
import type { StreamFileCopy, StreamSource } from '../../source/stream-source.ts';
import { toFailure } from './read-record-copy.ts';
import { isMissing, readSidecarCopy } from './read-sidecar-copy.ts';
import { StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';

export type ReadSidecar = {
  info: SidecarFileInfo;
  /** The file without compression. */
  bytes: Buffer;
  records: proto.ITransactionSidecarRecord[];
  /** Copies that were there and not the one that the record file names. */
  rejected: StreamCheckFailure[];
};

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
  const missing: StreamCheckFailure[] = [];
  for (const copy of copies) {
    try {
      const file = await readSidecarCopy(source, copy, name);
      if (file.hash.equals(hash)) {
        const { bytes, records, sizeBytes } = file;
        const info = { id, name: file.name, types, hash, count: records.length, sizeBytes };
        return { info, bytes, records, rejected: failures };
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
      (isMissing(error) ? missing : failures).push(toFailure(error, copy, name, 'sidecar'));
    }
  }
  throw new StreamCheckError([...failures, ...missing] as [StreamCheckFailure, ...StreamCheckFailure[]]);
}
