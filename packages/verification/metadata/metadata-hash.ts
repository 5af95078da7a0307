// The hash by which code names its metadata: the IPFS address of the document as one block, which is what solc
// computes.
import { sha256 } from '../store/match-row.ts';

/** IPFS divides larger files; no metadata is that large. */
const maxBlockBytes = 262_144;

/** Hex digits of the multihash, as `ipfs` of the code's CBOR; null = the document is too large for one block. */
export function hashMetadata(text: string): string | null {
  const content = Buffer.from(text);
  if (content.length > maxBlockBytes) return null;
  const size = varint(content.length);
  // UnixFS: a file, its bytes, its size. DAG-PB around it: one node with these data and no links.
  const file = Buffer.concat([Buffer.from([0x08, 0x02, 0x12]), size, content, Buffer.from([0x18]), size]);
  return `1220${sha256(Buffer.concat([Buffer.from([0x0a]), varint(file.length), file])).toString('hex')}`;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  return Buffer.from([...bytes, left]);
}
