// Sidecar files of record files v6: state changes, actions and bytecode of the record file's contract transactions,
// joined to them by consensus timestamp. The record file names the SHA-384 of the decompressed bytes.
import { gzipSync } from 'node:zlib';
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

export type WrittenSidecarFile = {
  bytes: Buffer;
  hash: Buffer;
  /** SidecarType numbers in it, ascending: what the record file's entry says. */
  types: number[];
  /** The file as it is stored: `bytes` gzipped. */
  gzip(): Buffer;
};

export function writeSidecarFile(records: readonly proto.ITransactionSidecarRecord[]): WrittenSidecarFile {
  const bytes = Buffer.from(proto.SidecarFile.encode({ sidecarRecords: [...records] }).finish());
  const types = [...new Set(records.map(sidecarType))].sort((a, b) => a - b);
  return { bytes, hash: sha384(bytes), types, gzip: () => gzipSync(bytes) };
}

/** SidecarType of a record: 1 state change, 2 action, 3 bytecode; 0 for none of them. */
function sidecarType(record: proto.ITransactionSidecarRecord): number {
  if (record.stateChanges) return 1;
  if (record.actions) return 2;
  return record.bytecode ? 3 : 0;
}
