// Files as of one item of a block: their contents before the block, then the changes of the block's own transactions.
// Reading is synchronous, so everything that a block needs is fetched before its first item.

import { decodeEntityId, toEntityIdOrNone } from '../../../packages/protocol/hapi/entity-id.ts';
import { type SystemEntity, systemEntityNums } from '../../../packages/protocol/hapi/system-entity.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';

export type FileContents = {
  /** All bytes of the file; null if unknown. */
  read(fileId: bigint): Uint8Array | null;
  /** A creation or a non-empty update. */
  replace(fileId: bigint, contents: Uint8Array): void;
  append(fileId: bigint, contents: Uint8Array): void;
};

/** Appends to these are joined immediately. */
export const addressBookFiles = ['addressBook', 'nodeDetails'] as const satisfies readonly SystemEntity[];

const addressBookNums: readonly bigint[] = addressBookFiles.map((file) => systemEntityNums[file]);

export function isAddressBookFile(fileId: bigint): boolean {
  return addressBookNums.includes(decodeEntityId(fileId).num);
}

/** @param stored contents before the block of (at least) the files that `mentionedFiles` names. */
export function createFileContents(stored: ReadonlyMap<bigint, Uint8Array>): FileContents {
  const parts = new Map<bigint, Uint8Array[]>();
  const partsOf = (fileId: bigint): Uint8Array[] => {
    const known = parts.get(fileId);
    if (known) return known;
    const before = stored.get(fileId);
    const made = before ? [before] : [];
    parts.set(fileId, made);
    return made;
  };
  return {
    read(fileId) {
      const all = partsOf(fileId);
      if (all.length === 0) return null;
      if (all.length > 1) parts.set(fileId, [Buffer.concat(all)]);
      return parts.get(fileId)![0]!;
    },
    replace(fileId, contents) {
      parts.set(fileId, [contents]);
    },
    append(fileId, contents) {
      partsOf(fileId).push(contents);
    },
  };
}

/** Files whose contents the handlers of this block need: call data, code, and growing address books. */
export function mentionedFiles(block: StreamBlock): bigint[] {
  const ids = new Set<bigint>();
  for (const { type, body, recordBytes } of block.transactions) {
    if (type === typeNumber.ethereumTransaction && body.ethereumTransaction?.callData) {
      ids.add(toEntityIdOrNone(body.ethereumTransaction.callData));
    } else if (recordBytes === null && body.contractCreateInstance?.fileID) {
      ids.add(toEntityIdOrNone(body.contractCreateInstance.fileID));
    } else if (type === typeNumber.fileAppend) {
      const id = toEntityIdOrNone(body.fileAppend?.fileID);
      if (isAddressBookFile(id)) ids.add(id);
    }
  }
  ids.delete(0n);
  return [...ids];
}
