// Sidecar files of record files v6: state changes, actions and bytecode of the record file's contract transactions,
// joined to them by consensus timestamp. The record file names the SHA-384 of the decompressed bytes.
import { proto } from '../hapi/hapi.ts';
import { sha384 } from '../sha384.ts';
import { StreamFileError } from '../stream-file-error.ts';

export type SidecarFile = { hash: Buffer; records: proto.ITransactionSidecarRecord[] };

/** Decompressed bytes → records. Throws StreamFileError. */
export function readSidecarFile(bytes: Buffer): SidecarFile {
  try {
    return { hash: sha384(bytes), records: proto.SidecarFile.decode(bytes).sidecarRecords };
  } catch (error) {
    throw new StreamFileError('malformed', 'sidecar file', 'a whole protobuf message', String(error));
  }
}
