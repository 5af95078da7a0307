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
  executedHookId?: HookIdMessage;
  contractNonces: Buffer[];
  signerNonce: Buffer;
};

export type HookIdMessage = { entityId?: { accountId: Buffer; contractId: Buffer }; hookId: Long };

/** Fields of MapChangeKey. One of them is set, none where this version does not know its kind. */
export type MapChangeKeyMessage = {
  readonly accountId?: Buffer;
  readonly entityNumber?: Buffer;
  readonly fileId?: Buffer;
  readonly nftId?: Buffer;
  readonly scheduleId?: Buffer;
  readonly slotKey?: Buffer;
  readonly tokenId?: Buffer;
  readonly topicId?: Buffer;
  readonly contractId?: Buffer;
  readonly pendingAirdropId?: Buffer;
  readonly evmHookSlot?: Buffer;
};

/** Fields of MapChangeValue that rows are made of. */
export type MapChangeValueMessage = {
  readonly account?: Buffer;
  readonly bytecode?: Buffer;
  readonly file?: Buffer;
  readonly node?: Buffer;
  readonly registeredNode?: Buffer;
  readonly slotValue?: Buffer;
  readonly token?: Buffer;
  readonly topic?: Buffer;
  readonly accountPendingAirdrop?: Buffer;
};

export type StateChangeMessage = {
  mapUpdate?: { key?: MapChangeKeyMessage; value?: MapChangeValueMessage; identical: boolean };
  mapDelete?: { key?: MapChangeKeyMessage };
};

export type StateChangesMessage = { consensusTimestamp: Buffer; stateChanges: StateChangeMessage[] };

/** One of them is set, none where this version does not know its kind. */
export type TransactionOutputMessage = {
  utilPrng?: { prngBytes?: Buffer; prngNumber?: number };
  contractCall?: { evmTransactionResult?: EvmTransactionResultMessage };
  ethereumCall?: {
    evmCallTransactionResult?: EvmTransactionResultMessage;
    evmCreateTransactionResult?: EvmTransactionResultMessage;
  };
  contractCreate?: { evmTransactionResult?: EvmTransactionResultMessage };
  createSchedule?: { scheduleId: Buffer; scheduledTransactionId: Buffer };
  signSchedule?: { scheduledTransactionId: Buffer };
  accountCreate?: { createdAccountId: Buffer };
};

export type ContractSlotUsageMessage = {
  contractId: Buffer;
  writtenSlotKeys?: { keys: Buffer[] };
  slotReads: { index?: number; key?: Buffer; readValue: Buffer }[];
};

export type ExecutedInitcodeMessage = {
  contractId: Buffer;
  initcodeBookends?: { deployBytecode: Buffer; metadataBytecode: Buffer };
  explicitInitcode?: Buffer;
};

export type EvmTraceDataMessage = {
  contractActions: Buffer[];
  contractSlotUsages: ContractSlotUsageMessage[];
  errorDetails: string;
  executedInitcode?: ExecutedInitcodeMessage;
  logs: { contractId: Buffer; data: Buffer; topics: Buffer[] }[];
};

/** One of them is set, none where this version does not know its kind. */
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
  transactionOutput: codec<TransactionOutputMessage>('TransactionOutput'),
  stateChanges: codec<StateChangesMessage>('StateChanges'),
  trace: codec<TraceDataMessage>('TraceData'),
  evmHookSlot: codec<{ hookId?: HookIdMessage; key: Buffer }>('EvmHookSlotKey'),
  redactedItem: codec<{ itemHash: Buffer; signedTransactionHash: Buffer; tree: number }>('RedactedItem'),
};
