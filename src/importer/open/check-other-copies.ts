// Compares every other copy with the proved block. An import uses one good copy; `verify` reports every bad one. A file
// that a node never had is no failure.

import type { StreamFileGroup, StreamSource } from '../../../packages/sources/stream-source.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import { readRecordCopy } from './read-record-copy.ts';
import { checkSidecarCopy } from './read-sidecars.ts';
import type { StreamCheckFailure } from './stream-check-error.ts';

export type CheckOtherCopiesOptions = {
  source: StreamSource;
  group: StreamFileGroup;
  block: StreamBlock;
  /** Node whose copy the block was made from. */
  node: string;
};

/** Every existing copy of the record file and its sidecars that differs from what was proved. */
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
