// The files of a unit as they are kept for proofs: compressed, and without what is left out of large items.
import { Readable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { copyAlone } from '../../kit/copy-alone.ts';
import { visitWireFields } from '../../protocol/wire-fields.ts';
import { bytesField, intField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from './block-item.ts';
import { defaultBlockLimits } from './block-limits.ts';
import { findSubtree, firstTree } from './item-subtree.ts';
import { readBlockItems } from './read-block-items.ts';
import type { UnitFiles } from './unit-files.ts';

/** The block; or the record file, and its signatures: where nodes have signed the metadata, proofs take those alone. */
export function packUnit(files: UnitFiles): Buffer[] {
  if (files.kind === 'block')
    return [
      pack(
        1,
        files.items.map((item) => withoutLeftOut(item).bytes),
      ),
    ];
  const { file, metadata } = files.signatures;
  return [zstdCompressSync(files.record), metadata.length > 0 ? pack(2, metadata) : pack(1, file)];
}

/** A large block is unpacked in another thread, and split part by part. Throws StreamFileError. */
export async function unpackUnit([first, signatures]: readonly Buffer[]): Promise<UnitFiles> {
  if (!signatures) {
    const { items } = await readBlockItems(() => Readable.from([first!]), { limits: defaultBlockLimits });
    return { kind: 'block', items };
  }
  const bytes = unpack(first!);
  const [file, metadata] = [[], []] as [Buffer[], Buffer[]];
  const packed = unpack(signatures);
  visitWireFields(packed, (number, _type, start, end) => {
    (number === 2 ? metadata : file).push(packed.subarray(start, end));
  });
  return { kind: 'record', record: bytes, signatures: { file, metadata } };
}

/** As a block has its items, which are field 1. */
const pack = (number: number, parts: readonly Buffer[]): Buffer =>
  zstdCompressSync(Buffer.concat(parts.flatMap((part) => bytesField(number, part))));

const unpack = (packed: Buffer): Buffer =>
  copyAlone(zstdDecompressSync(packed, { maxOutputLength: defaultBlockLimits.maxBlockBytes }));

/** An item of which a part was left out as a redacted one: its place in the root stays. */
function withoutLeftOut(item: BlockStreamItem): BlockStreamItem {
  if (!item.leaf) return item;
  const tree = findSubtree(item.kind)! + firstTree;
  return writeItem(itemKinds.redactedItem, Buffer.concat([bytesField(1, item.leaf), intField(3, tree)].flat()));
}
