// Types of the messages in block-messages.proto, and their decoders. Absent messages are null, absent bytes empty.
import type Long from 'long';
import type protobuf from 'protobufjs';
import { loadMessages } from '../load-messages.ts';
import type { SemanticVersion } from '../stream-block.ts';
import { StreamFileError } from '../stream-file-error.ts';

export type BlockHeaderMessage = {
  hapiProtoVersion?: SemanticVersion;
  softwareVersion?: SemanticVersion;
  number: Long;
  blockTimestamp: Buffer;
  hashAlgorithm: number;
};

export type BlockFooterMessage = {
  previousBlockRootHash: Buffer;
  rootHashOfAllBlockHashesTree: Buffer;
  startOfBlockStateRootHash: Buffer;
};

export type BlockProofMessage = {
  block: Long;
  signedBlockProof?: { blockSignature: Buffer };
  blockStateProof: Buffer;
  signedRecordFileProof?: { version: number; recordFileSignatures: { signaturesBytes: Buffer; nodeId: Long }[] };
};

export type RecordFileItemMessage = {
  creationTime: Buffer;
  recordFileContents: Buffer;
  sidecarFileContents: Buffer[];
  amendments: Buffer[];
};

export type TransactionResultMessage = {
  status: number;
  consensusTimestamp: Buffer;
  parentConsensusTimestamp: Buffer;
  scheduleRef: Buffer;
  transactionFeeCharged: Long;
  transferList: Buffer;
  tokenTransferLists: Buffer[];
  automaticTokenAssociations: Buffer[];
  paidStakingRewards: Buffer[];
  congestionPricingMultiplier: Long;
  assessedCustomFees: Buffer[];
  highVolumePricingMultiplier: Long;
};

export type EvmTransactionResultMessage = {
  senderId: Buffer;
  contractId: Buffer;
  resultData: Buffer;
  errorMessage: string;
  gasUsed: Long;
  internalCallContext?: { gas: Long; value: Long; callData: Buffer };
  contractNonces: Buffer[];
  signerNonce: Buffer;
};

type MapChangeKeyMessage = Partial<Record<StateKeyKind, Buffer>>;

export type StateKeyKind =
  | 'accountId'
  | 'entityNumber'
  | 'fileId'
  | 'nftId'
  | 'scheduleId'
  | 'slotKey'
  | 'tokenId'
  | 'topicId'
  | 'contractId'
  | 'pendingAirdropId';

export type MapChangeValueMessage = Partial<
  Record<
    | 'account'
    | 'bytecode'
    | 'file'
    | 'nft'
    | 'schedule'
    | 'slotValue'
    | 'token'
    | 'topic'
    | 'node'
    | 'accountPendingAirdrop',
    Buffer
  >
>;

export type StateChangesMessage = {
  consensusTimestamp: Buffer;
  stateChanges: {
    mapUpdate?: { key?: MapChangeKeyMessage; value?: MapChangeValueMessage };
    mapDelete?: { key?: MapChangeKeyMessage };
  }[];
};

export type EvmTraceDataMessage = {
  executedInitcode?: {
    contractId: Buffer;
    explicitInitcode: Buffer;
    initcodeBookends?: { deployBytecode: Buffer; metadataBytes: Buffer };
  };
  contractActions: Buffer[];
  contractSlotUsages: {
    contractId: Buffer;
    writtenSlotKeys?: { keys: Buffer[] };
    slotReads: { index?: number; key?: Buffer; readValue: Buffer }[];
  }[];
  logs: { contractId: Buffer; data: Buffer; topics: Buffer[] }[];
};

export type TraceDataMessage = {
  evmTraceData?: EvmTraceDataMessage;
  submitMessageTraceData?: { sequenceNumber: Long; runningHash: Buffer };
};

const messages = loadMessages(new URL('./block-messages.proto', import.meta.url));

/** A codec of one message; protobufjs compiles it at its first use. `decode` throws StreamFileError. */
function codec<Message>(name: string) {
  const type: protobuf.Type = messages(name);
  return {
    decode(bytes: Uint8Array): Message {
      try {
        return type.decode(bytes) as unknown as Message;
      } catch (error) {
        throw new StreamFileError('malformed', `message ${name}`, 'a whole protobuf message', String(error));
      }
    },
    encode: (message: object): Buffer => Buffer.from(type.encode(message).finish()),
  };
}

export const blockMessages = {
  header: codec<BlockHeaderMessage>('BlockHeader'),
  footer: codec<BlockFooterMessage>('BlockFooter'),
  proof: codec<BlockProofMessage>('BlockProof'),
  recordFile: codec<RecordFileItemMessage>('RecordFileItem'),
  transactionResult: codec<TransactionResultMessage>('TransactionResult'),
  evmResult: codec<EvmTransactionResultMessage>('EvmTransactionResult'),
  stateChanges: codec<StateChangesMessage>('StateChanges'),
  trace: codec<TraceDataMessage>('TraceData'),
};
