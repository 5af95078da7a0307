// A decoded and checked stream file, of any generation: one block with its transactions and their results. Later steps
// do not know whether it came as a record file or as a block.
import type { proto } from '../../protocol/hapi/hapi.ts';
import type { TransactionBody, TransactionRecord } from '../../protocol/hapi/transaction-body.ts';
import type { Doubt } from './doubt.ts';
import type { StateAnswers, StateQuestion } from './state-question.ts';

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
  /** Field number of the `data` oneof of the body, also if this HAPI version does not know it; 0 without one. */
  type: number;
  /** ResponseCodeEnum of the receipt. */
  status: number;
  body: TransactionBody;
  record: TransactionRecord;
  /** Serialized SignatureMap, empty if the transaction has none. `decodeSignatureMap` decodes it. */
  signatureMapBytes: Buffer;
  /** Raw `Transaction` message as in the file. */
  transactionBytes: Buffer;
  /** Raw `TransactionRecord` message as in the file; null in a block stream, which has none. */
  recordBytes: Buffer | null;
  /** Serialized ContractFunctionResult of the record, empty if it has none. */
  functionResultBytes: Buffer;
  /** Thousandths; null if unknown. Only in block streams. */
  congestionPricingMultiplier?: bigint | null;
  /** After a code delegation (EIP-7702): the account's nonce. Only in block streams. */
  ethereumNonce?: bigint | null;
  /** The hook that a call of the hook contract ran. Only in block streams. */
  executedHook?: ExecutedHook | null;
  /** Sidecar records with this consensus timestamp, in file order. */
  sidecars: proto.ITransactionSidecarRecord[];
};

/** `ownerId`: packed entity id. */
export type ExecutedHook = { ownerId: bigint; hookId: bigint };

/** A ledger's state before its first transaction, from a genesis block. Messages are HAPI's own. */
export type OpeningState = {
  accounts: proto.IAccount[];
  files: proto.IFile[];
  bytecodes: { contractId: proto.IContractID; code: Uint8Array }[];
  slots: { contractId: proto.IContractID; key: Uint8Array; value: Uint8Array }[];
};

/** Transactions that need more of the state before the block than the block says. */
export type IncompleteTransactions = {
  questions: readonly StateQuestion[];
  /** The transactions with these answers, null among them; further questions may follow from them. */
  complete(answers: StateAnswers): Promise<CompletedTransactions>;
};

type CompletedTransactions = {
  transactions: TransactionItem[];
  questions: readonly StateQuestion[];
  /** What is missing in them, as no block says it. */
  doubts: readonly Doubt[];
};

/** From the root before the block, its first leaf, up to its own root. */
export type BlockPath = {
  /** Of the timestamp. */
  timeLeaf: Buffer;
  /** Of the first leaf, from it up: four in the form of sixteen leaves, of which the other has the first three. */
  siblings: Buffer[];
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
  /** Of the node software, if given beside the HAPI version. */
  softwareVersion?: SemanticVersion | null;
  /** Numbers of the first and the last consensus round; only in block streams. */
  rounds?: { first: bigint; last: bigint } | null;
  /** Root of the block that wraps the record file, and the previous root; null if unknown. */
  wrapped?: { root: Buffer; previousRoot: Buffer } | null;
  /** Both forms of the root, if a block of a block stream may have the older one: the next block names one of them. */
  rootForms?: { newer: Buffer; older: Buffer } | null;
  /** From the root before it to its own; only in block streams. */
  path?: BlockPath | null;
  /** Only in a genesis block. */
  openingState?: OpeningState | null;
  /** 48 bytes; all zero at the start of a chain. */
  previousHash: Buffer;
  /** The next block's previous hash: file hash (v1, v2), end running hash (v5, v6), block root (7). */
  hash: Buffer;
  /** Empty in block streams. */
  fileHash: Buffer;
  metadataHash: Buffer | null;
  consensusStart: bigint;
  consensusEnd: bigint;
  /** Compressed size as stored; of a record file inside a block, the size of the rebuilt file. */
  sizeBytes: number;
  sidecars: SidecarFileInfo[];
  transactions: TransactionItem[];
  /** null: nothing is missing in them. Only in block streams. */
  incomplete?: IncompleteTransactions | null;
};
