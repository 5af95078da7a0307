// The common form of all generations of record files before their items are decoded: raw messages, the hashes that the
// file names and the hashes of its bytes.
import type { SemanticVersion } from '../stream/stream-block.ts';

/** Raw protobuf messages, byte for byte as in the file. */
export type RawItem = { transaction: Buffer; record: Buffer };

export type RecordFileSidecar = {
  id: number;
  /** SidecarType numbers. */
  types: number[];
  /** SHA-384 of the decompressed sidecar file. */
  hash: Buffer;
};

export type RecordFile = {
  version: number;
  /** null in v1 and v2. */
  hapiVersion: SemanticVersion | null;
  /** null before v6. */
  blockNumber: bigint | null;
  /** Previous file's hash (v1, v2) or start running hash (v5, v6). */
  previousHash: Buffer;
  /** The next file's previous hash: file hash (v1, v2) or the end running hash named by the file. */
  hash: Buffer;
  fileHash: Buffer;
  /** null in v1 and v2. */
  metadataHash: Buffer | null;
  items: RawItem[];
  sidecars: RecordFileSidecar[];
};
