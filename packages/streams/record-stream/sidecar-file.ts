// Sidecar files of record files v6: state changes, actions and bytecode of the record file's contract transactions,
// joined to them by consensus timestamp. The record file names the SHA-384 of the decompressed bytes.
import { proto } from '../../protocol/hapi/hapi.ts';
import { sha384 } from '../../protocol/sha384.ts';

export type SidecarFile = {
  hash: Buffer;
  records: proto.ITransactionSidecarRecord[];
  /** Why it has no records although it has bytes: whether it is the right file is known by its hash. */
  problem: string | null;
};

/** Decompressed bytes → records. */
export function readSidecarFile(bytes: Buffer): SidecarFile {
  const hash = sha384(bytes);
  try {
    return { hash, records: proto.SidecarFile.decode(bytes).sidecarRecords, problem: null };
  } catch (error) {
    return { hash, records: [], problem: `not a whole protobuf message: ${String(error)}` };
  }
}
