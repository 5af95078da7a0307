// The files of a unit as they are kept for proofs: compressed, and without what is left out of large items.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { visitWireFields } from '../wire-fields.ts';
import { bytesField, intField } from '../wire-writer.ts';
import { type BlockStreamItem, itemKinds, splitBlock, writeItem } from './block-item.ts';
import { defaultBlockLimits } from './block-limits.ts';
import { findSubtree, firstTree } from './item-subtree.ts';
import type { UnitFiles } from './unit-files.ts';

/** The block; or the record file, and all signature files. */
export function packUnit(files: UnitFiles): Buffer[] {
  if (files.kind === 'block') return [pack(files.items.map((item) => withoutLeftOut(item).bytes))];
  return [zstdCompressSync(files.record), pack(files.signatures)];
}

/** Throws StreamFileError. */
export function unpackUnit([first, signatures]: readonly Buffer[]): UnitFiles {
  const bytes = unpack(first!);
  if (!signatures) return { kind: 'block', items: splitBlock(bytes) };
  const files: Buffer[] = [];
  const packed = unpack(signatures);
  visitWireFields(packed, (_number, _type, start, end) => files.push(packed.subarray(start, end)));
  return { kind: 'record', record: bytes, signatures: files };
}

/** As a block has its items. */
const pack = (parts: readonly Buffer[]): Buffer =>
  zstdCompressSync(Buffer.concat(parts.flatMap((part) => bytesField(1, part))));

const unpack = (packed: Buffer): Buffer =>
  zstdDecompressSync(packed, { maxOutputLength: defaultBlockLimits.maxBlockBytes });

/** An item of which a part was left out as a redacted one: its place in the root stays. */
function withoutLeftOut(item: BlockStreamItem): BlockStreamItem {
  if (!item.leaf) return item;
  const tree = findSubtree(item.kind)! + firstTree;
  return writeItem(itemKinds.redactedItem, Buffer.concat([bytesField(1, item.leaf), intField(3, tree)].flat()));
}
