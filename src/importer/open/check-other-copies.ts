// Holds the copies that were not taken against the proved block: an import is content with one good copy, but who
// examines files wants to know of every bad one. What a node never had is no failure.
import { gunzip } from '../../protocol/gunzip.ts';
import { readSidecarFile } from '../../protocol/record-stream/sidecar-file.ts';
import type { SidecarFileInfo, StreamBlock } from '../../protocol/stream-block.ts';
import {
  type StreamFileCopy,
  type StreamFileGroup,
  type StreamSource,
  StreamSourceError,
} from '../../source/stream-source.ts';
import { readRecordCopy, toFailure } from './read-record-copy.ts';
import type { StreamCheckFailure } from './stream-check-error.ts';

export type CheckOtherCopiesOptions = {
  source: StreamSource;
  group: StreamFileGroup;
  block: StreamBlock;
  /** Node whose copy the block was made from. */
  node: string;
};

/** Every copy of the record file and its sidecars that is there and differs from what was proved. */
export async function checkOtherCopies({
  source,
  group,
  block,
  node,
}: CheckOtherCopiesOptions): Promise<StreamCheckFailure[]> {
  const { fileHash, metadataHash } = block;
  const failures: StreamCheckFailure[] = [];
  for (const copy of group.copies) {
    if (copy.recordName !== null && copy.node.name !== node) {
      const read = await readRecordCopy(source, copy, { fileHash, metadataHash, previousHash: null });
      if ('code' in read) failures.push(read);
    }
    for (const sidecar of block.sidecars) {
      const failure = await checkSidecarCopy(source, copy, sidecar);
      if (failure) failures.push(failure);
    }
  }
  return failures;
}

async function checkSidecarCopy(
  source: StreamSource,
  copy: StreamFileCopy,
  { name, hash }: SidecarFileInfo,
): Promise<StreamCheckFailure | null> {
  try {
    const stored = await source.read(copy, { kind: 'sidecar', name });
    const file = readSidecarFile(gunzip(stored, 'sidecar file'));
    if (file.hash.equals(hash)) return null;
    const [expected, found] = [hash.toString('hex'), file.hash.toString('hex')];
    return { code: 'sidecar', file: name, node: copy.node.name, expected, found, transient: false };
  } catch (error) {
    if (error instanceof StreamSourceError && error.code === 'missing') return null;
    return toFailure(error, copy, name, 'sidecar');
  }
}
