// A record file with what nodes have signed of it: from the bucket of a network, or from inside a block.

import { tryDecode } from '../../../../packages/protocol/hapi/decode-message.ts';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../../packages/protocol/hapi/timestamp.ts';
import { findWithin } from '../../../../packages/protocol/plain-fields.ts';
import { type BlockStreamItem, itemKinds } from '../../../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../../../packages/streams/block-stream/block-messages.ts';
import { readWrappedRecord } from '../../../../packages/streams/block-stream/wrapped-record.ts';
import { chainHashes, hashItems } from '../../../../packages/streams/record-stream/object-running-hash.ts';
import type { RawItem, RecordFile } from '../../../../packages/streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../../../packages/streams/record-stream/record-file.ts';
import type { RecordSignatures } from '../../../../packages/streams/record-stream/record-signatures.ts';

export type SignedRecord = {
  file: RecordFile;
  /** Uncompressed. */
  bytes: Buffer;
  /** By anyone, not verified. */
  signatures: RecordSignatures;
  /** Items that were written later, in place of one of the file or beside it; no signature covers them. */
  amendments: readonly RawItem[];
  /** The hashes of its items, where they lead to the running hash that the file names; null: they do not. */
  chain(): Buffer[] | null;
  /** The keys, as address books have them, of signatures that were found to be good. */
  signers: Map<Buffer, string>;
};

export function createSignedRecord(
  parts: Pick<SignedRecord, 'file' | 'bytes' | 'signatures' | 'amendments'>,
): SignedRecord {
  const { previousHash, hash, items } = parts.file;
  let hashes: Buffer[] | null | undefined;
  return {
    ...parts,
    chain() {
      if (hashes !== undefined) return hashes;
      const found = hashItems(items);
      hashes = chainHashes(previousHash, found).equals(hash) ? found : null;
      return hashes;
    },
    signers: new Map(),
  };
}

/** `bytes`: uncompressed. Throws StreamFileError. */
export function openSignedRecord(bytes: Buffer, signatures: RecordSignatures): SignedRecord {
  return createSignedRecord({ file: readRecordFile(bytes), bytes, signatures, amendments: [] });
}

/** Of a block's items; null: it wraps no record file, or has no signatures of it. Throws StreamFileError. */
export function openWrappedRecord(items: readonly BlockStreamItem[]): SignedRecord | null {
  const wrapped = items.find(({ kind }) => kind === itemKinds.recordFile);
  const proofs = items.filter(({ kind }) => kind === itemKinds.blockProof);
  const proof = proofs.map(({ content }) => blockMessages.proof.decode(content).signedRecordFileProof).find(Boolean);
  if (!wrapped || !proof) return null;
  const { file, bytes, items: shown } = readWrappedRecord(wrapped.content, proof.version);
  const own = new Set(file.items);
  return createSignedRecord({
    file,
    bytes,
    signatures: { file: proof.recordFileSignatures.map(({ signaturesBytes }) => signaturesBytes), metadata: [] },
    amendments: shown.filter((item) => !own.has(item)),
  });
}

/** ns; null: the record cannot be read. */
export function consensusTimeOf({ record }: RawItem): bigint | null {
  const message = findWithin(record, consensusTimestamp);
  const time = message && tryDecode(proto.Timestamp, message);
  return time && toTimestamp(time);
}

/** Field of TransactionRecord. */
const consensusTimestamp = 3;
