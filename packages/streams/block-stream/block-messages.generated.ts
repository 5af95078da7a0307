// Made by scripts/generate-messages.mjs from the .proto file of this name.
import type Long from 'long';

export type BlockMessages = {
  BlockHeader: {
    hapiProtoVersion: BlockMessages['SemanticVersion'] | null;
    softwareVersion: BlockMessages['SemanticVersion'] | null;
    number: Long;
    /** Timestamp; the first leaf of the root hash is made of these bytes. */
    blockTimestamp: Buffer;
    hashAlgorithm: number;
  };
  SemanticVersion: {
    major: number;
    minor: number;
    patch: number;
  };
  BlockFooter: {
    previousBlockRootHash: Buffer;
    rootHashOfAllBlockHashesTree: Buffer;
    startOfBlockStateRootHash: Buffer;
  };
  BlockProof: {
    block: Long;
    signedBlockProof: BlockMessages['SignedBlockProof'] | null;
    blockStateProof: Buffer;
    signedRecordFileProof: BlockMessages['SignedRecordFileProof'] | null;
  };
  SignedBlockProof: {
    blockSignature: Buffer;
  };
  SignedRecordFileProof: {
    version: number;
    recordFileSignatures: BlockMessages['RecordFileSignature'][];
  };
  RecordFileSignature: {
    signaturesBytes: Buffer;
    nodeId: Long;
  };
  RecordFileItem: {
    /** Timestamp; names the file. */
    creationTime: Buffer;
    /** RecordStreamFile, whatever the file's version was. */
    recordFileContents: Buffer;
    /** SidecarFile; the n-th is the sidecar with id n. */
    sidecarFileContents: Buffer[];
    /** RecordStreamItem */
    amendments: Buffer[];
  };
  TransactionResult: {
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
  EvmTransactionResult: {
    senderId: Buffer;
    contractId: Buffer;
    resultData: Buffer;
    errorMessage: string;
    gasUsed: Long;
    internalCallContext: BlockMessages['InternalCallContext'] | null;
    executedHookId: BlockMessages['HookId'] | null;
    contractNonces: Buffer[];
    /** Int64Value */
    signerNonce: Buffer;
  };
  InternalCallContext: {
    gas: Long;
    value: Long;
    callData: Buffer;
  };
  StateChanges: {
    consensusTimestamp: Buffer;
    stateChanges: BlockMessages['StateChange'][];
  };
  /** The state's number (field 1) is left out: it moved between versions. Which kind of value an entry is says its key. What changes a state without keys (fields 2 to 4, 7, 8) is no part of a transaction's result. */
  StateChange: {
    mapUpdate: BlockMessages['MapUpdateChange'] | null;
    mapDelete: BlockMessages['MapDeleteChange'] | null;
  };
  MapUpdateChange: {
    key: BlockMessages['MapChangeKey'] | null;
    value: BlockMessages['MapChangeValue'] | null;
    /** Only links of a list changed; the value is the same. */
    identical: boolean;
    /** Only the fields that changed are in the value, each as a whole (HAPI 0.79). */
    partial: boolean;
    /** Numbers of the fields of a partial value that now have their default. */
    clearedFields: number[];
  };
  MapDeleteChange: {
    key: BlockMessages['MapChangeKey'] | null;
  };
  MapChangeKey: {
    accountId: Buffer;
    /** UInt64Value */
    entityNumber: Buffer;
    fileId: Buffer;
    nftId: Buffer;
    protoBytes: Buffer;
    protoLong: Buffer;
    protoString: Buffer;
    scheduleId: Buffer;
    slotKey: Buffer;
    tokenId: Buffer;
    topicId: Buffer;
    contractId: Buffer;
    pendingAirdropId: Buffer;
    timestampSeconds: Buffer;
    scheduledOrder: Buffer;
    tssMessage: Buffer;
    tssVote: Buffer;
    hintsPartyId: Buffer;
    preprocessingVoteId: Buffer;
    nodeId: Buffer;
    constructionNodeId: Buffer;
    hookId: Buffer;
    /** EvmHookSlotKey */
    evmHookSlot: Buffer;
    tokenRelationship: Buffer;
  };
  /** Values that no row is made of are skipped, however large they are: history proofs take 31.6 MB each. */
  MapChangeValue: {
    account: Buffer;
    accountId: Buffer;
    bytecode: Buffer;
    file: Buffer;
    nft: Buffer;
    protoString: Buffer;
    schedule: Buffer;
    scheduleList: Buffer;
    slotValue: Buffer;
    stakingNodeInfo: Buffer;
    token: Buffer;
    tokenRelation: Buffer;
    topic: Buffer;
    node: Buffer;
    accountPendingAirdrop: Buffer;
    roster: Buffer;
    scheduledCounts: Buffer;
    scheduleId: Buffer;
    throttleUsageSnapshots: Buffer;
    tssEncryptionKeys: Buffer;
    tssMessage: Buffer;
    tssVote: Buffer;
    hintsKeySet: Buffer;
    preprocessingVote: Buffer;
    crsPublication: Buffer;
    historySignature: Buffer;
    historyProofVote: Buffer;
    proofKeySet: Buffer;
    evmHookState: Buffer;
    nodeId: Buffer;
    wrapsMessageHistory: Buffer;
    registeredNode: Buffer;
  };
  /** The key of a slot in the storage of a hook (HIP-1195). */
  EvmHookSlotKey: {
    hookId: BlockMessages['HookId'] | null;
    /** Without leading zero bytes. */
    key: Buffer;
  };
  HookId: {
    entityId: BlockMessages['HookEntityId'] | null;
    hookId: Long;
  };
  HookEntityId: {
    /** AccountID */
    accountId: Buffer;
    /** ContractID */
    contractId: Buffer;
  };
  TransactionOutput: {
    utilPrng: BlockMessages['UtilPrngOutput'] | null;
    contractCall: BlockMessages['EvmOutput'] | null;
    ethereumCall: BlockMessages['EthereumOutput'] | null;
    contractCreate: BlockMessages['EvmOutput'] | null;
    createSchedule: BlockMessages['CreateScheduleOutput'] | null;
    signSchedule: BlockMessages['SignScheduleOutput'] | null;
    accountCreate: BlockMessages['CreateAccountOutput'] | null;
  };
  UtilPrngOutput: {
    prngBytes: Buffer;
    prngNumber: number;
  };
  EvmOutput: {
    evmTransactionResult: BlockMessages['EvmTransactionResult'] | null;
  };
  EthereumOutput: {
    evmCallTransactionResult: BlockMessages['EvmTransactionResult'] | null;
    evmCreateTransactionResult: BlockMessages['EvmTransactionResult'] | null;
  };
  CreateScheduleOutput: {
    scheduleId: Buffer;
    scheduledTransactionId: Buffer;
  };
  SignScheduleOutput: {
    scheduledTransactionId: Buffer;
  };
  CreateAccountOutput: {
    createdAccountId: Buffer;
  };
  TraceData: {
    evmTraceData: BlockMessages['EvmTraceData'] | null;
    submitMessageTraceData: BlockMessages['SubmitMessageTraceData'] | null;
  };
  EvmTraceData: {
    contractActions: Buffer[];
    contractSlotUsages: BlockMessages['ContractSlotUsage'][];
    errorDetails: string;
    executedInitcode: BlockMessages['ExecutedInitcode'] | null;
    logs: BlockMessages['EvmTransactionLog'][];
  };
  ContractSlotUsage: {
    contractId: Buffer;
    /** Where it is absent, or empty, the written slots are those that the state changes of the unit name. */
    writtenSlotKeys: BlockMessages['WrittenSlotKeys'] | null;
    /** SlotRead */
    slotReads: Buffer[];
  };
  WrittenSlotKeys: {
    keys: Buffer[];
  };
  SlotRead: {
    /** Of a written slot: its place in the list of written slots. */
    index: number;
    key: Buffer;
    readValue: Buffer;
  };
  ExecutedInitcode: {
    contractId: Buffer;
    initcodeBookends: BlockMessages['InitcodeBookends'] | null;
    explicitInitcode: Buffer;
  };
  /** What stands before and after the runtime bytecode in the initcode. */
  InitcodeBookends: {
    deployBytecode: Buffer;
    metadataBytecode: Buffer;
  };
  EvmTransactionLog: {
    contractId: Buffer;
    data: Buffer;
    /** Without leading zero bytes. */
    topics: Buffer[];
  };
  SubmitMessageTraceData: {
    sequenceNumber: Long;
    runningHash: Buffer;
  };
  /** An item that was taken out of the block; its hash stands for its leaf. */
  RedactedItem: {
    itemHash: Buffer;
    signedTransactionHash: Buffer;
    /** SubMerkleTree */
    tree: number;
  };
};
