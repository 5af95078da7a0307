// What a decoded and checked stream file is, whichever generation it came from: one block with its transactions and
// their results. Record files v1–v6 become this today, block streams will through the same door; nothing behind it
// knows the difference.
import type { proto } from './hapi/hapi.ts';
import type { TransactionBody, TransactionRecord } from './hapi/transaction-body.ts';

export type SemanticVersion = { major: number; minor: number; patch: number };

export type SidecarFileInfo = {
  /** 1, 2, … as in the record file. */
  id: number;
  name: string;
  /** SidecarType numbers: 1 state change, 2 action, 3 bytecode. */
  types: number[];
  /** SHA-384 of the decompressed file. */
  hash: Buffer;
  /** Number of records in it. */
  count: number;
  /** Compressed size as stored. */
  sizeBytes: number;
};

/** One transaction and its result. `body` and `record` keep the HAPI shape for every stream generation. */
export type TransactionItem = {
  /** 0-based position in the file, children included. */
  index: number;
  /** ns since the epoch. */
  consensusTimestamp: bigint;
  parentConsensusTimestamp: bigint | null;
  /** Field number of the `data` oneof of the body, also where this HAPI version does not know it; 0 when there is none. */
  type: number;
  /** ResponseCodeEnum of the receipt. */
  status: number;
  body: TransactionBody;
  record: TransactionRecord;
  /** Serialized SignatureMap, empty when the transaction has none. `decodeSignatureMap` opens it. */
  signatureMapBytes: Buffer;
  /** Raw `Transaction` message as in the file. */
  transactionBytes: Buffer;
  /** Raw `TransactionRecord` message as in the file. */
  recordBytes: Buffer;
  /** Sidecar records with this consensus timestamp, in file order. */
  sidecars: proto.ITransactionSidecarRecord[];
};

export type StreamBlock = {
  /** File name as stored, e.g. `2022-07-13T08_46_11.304284003Z.rcd.gz`. */
  name: string;
  /** Record file version (1, 2, 5, 6), 7 for block streams. */
  version: number;
  /** Block number that the file itself carries; null before v6. */
  blockNumber: bigint | null;
  /** null in v1 and v2. */
  hapiVersion: SemanticVersion | null;
  /** 48 bytes; all zero at the start of a chain. */
  previousHash: Buffer;
  /** The value the next file names as its previous hash: file hash (v1, v2) or end running hash (v5, v6). */
  hash: Buffer;
  fileHash: Buffer;
  metadataHash: Buffer | null;
  consensusStart: bigint;
  consensusEnd: bigint;
  /** Compressed size as stored. */
  sizeBytes: number;
  sidecars: SidecarFileInfo[];
  transactions: TransactionItem[];
};
