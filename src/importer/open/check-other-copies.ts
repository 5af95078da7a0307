// Holds the copies that were not taken against the proved block: an import is content with one good copy, but who
// examines files wants to know of every bad one. What a node never had is no failure.
import type { SidecarFileInfo, StreamBlock } from '../../protocol/stream/stream-block.ts';
import type { StreamFileCopy, StreamFileGroup, StreamSource } from '../../source/stream-source.ts';
import { readRecordCopy, toFailure } from './read-record-copy.ts';
import { isMissing, readSidecarCopy } from './read-sidecar-copy.ts';
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
    const file = await readSidecarCopy(source, copy, name.replace(/(\.gz)?$/, '.gz'));
    if (file.hash.equals(hash)) return null;
    const [expected, found] = [hash.toString('hex'), file.hash.toString('hex')];
    return { code: 'sidecar', file: name, node: copy.node.name, expected, found, transient: false };
  } catch (error) {
    if (isMissing(error)) return null;
    return toFailure(error, copy, name, 'sidecar');
  }
}
