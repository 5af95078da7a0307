// Sidecar files of record files v6.
import { proto } from '../../protocol/hapi/hapi.ts';
import { sha384 } from '../../protocol/sha384.ts';

export type WrittenSidecarFile = {
  /** Not compressed. */
  bytes: Buffer;
  hash: Buffer;
  /** SidecarType numbers in it, ascending: what the record file's entry says. */
  types: number[];
};

export function writeSidecarFile(records: readonly proto.ITransactionSidecarRecord[]): WrittenSidecarFile {
  const bytes = Buffer.from(proto.SidecarFile.encode({ sidecarRecords: [...records] }).finish());
  const types = [...new Set(records.map(sidecarType))].sort((a, b) => a - b);
  return { bytes, hash: sha384(bytes), types };
}

/** SidecarType of a record: 1 state change, 2 action, 3 bytecode; 0 for none of them. */
function sidecarType(record: proto.ITransactionSidecarRecord): number {
  if (record.stateChanges) return 1;
  if (record.actions) return 2;
  return record.bytecode ? 3 : 0;
}
