// The root of a block of a block stream has one of two forms, and only the block after it says which. Until then the row has
// the likelier one, and both are kept, so that whoever imports the next block can set the row right.
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import type { RootForms } from '../../store/read/select-root-forms.ts';
import type { BulkOperation, TableChanges } from '../../store/write/block-changes.ts';

export function rootFormRows({ consensusEnd, rootForms }: StreamBlock): TableChanges[] {
  return rootForms ? [{ block_root_forms: [{ consensus_end: consensusEnd, ...rootForms }] }] : [];
}

export type StoredRoot = {
  consensusEnd: bigint;
  /** Hexadecimal, as it is stored. */
  hash: string;
  /** null: it has the newer form, or an earlier version of this program stored it. */
  rootForms: RootForms | null;
};

/** @param named the root before it that the next block names, which was checked */
export function settleRoot({ consensusEnd, hash, rootForms }: StoredRoot, named: Buffer): BulkOperation[] {
  const isNewer = rootForms?.newer.equals(named) ?? false;
  const namedHash = named.toString('hex');
  if (namedHash === hash && !isNewer) return [];
  return [{ operation: 'settleBlockRoot', timestamp: consensusEnd, hash: namedHash, isNewer }];
}
