// Made by scripts/generate-messages.mjs from the .proto file of this name.
import type Long from 'long';

export type NewerFieldsMessages = {
  TransactionBody: {
    cryptoCreateAccount: NewerFieldsMessages['CryptoCreateTransactionBody'] | null;
    cryptoUpdateAccount: NewerFieldsMessages['CryptoUpdateTransactionBody'] | null;
    nodeCreate: NewerFieldsMessages['NodeCreateTransactionBody'] | null;
    nodeUpdate: NewerFieldsMessages['NodeUpdateTransactionBody'] | null;
    ledgerIdPublication: NewerFieldsMessages['LedgerIdPublicationTransactionBody'] | null;
    registeredNodeCreate: NewerFieldsMessages['RegisteredNodeCreateTransactionBody'] | null;
    registeredNodeUpdate: NewerFieldsMessages['RegisteredNodeUpdateTransactionBody'] | null;
    registeredNodeDelete: NewerFieldsMessages['RegisteredNodeDeleteTransactionBody'] | null;
    migrationRootHashVote: NewerFieldsMessages['MigrationRootHashVoteTransactionBody'] | null;
    /** CLPR (HIP-1535): messages whose form still changes. */
    clprUpdateLedgerConfiguration: Buffer;
    clprRegisterChannel: Buffer;
    clprCompleteChannel: Buffer;
    clprCloseChannel: Buffer;
    clprSubmitBundle: Buffer;
    clprRedactMessage: Buffer;
    clprRegisterConnector: Buffer;
    clprDeregisterConnector: Buffer;
    clprCompleteConnector: Buffer;
    clprEndpointPublication: Buffer;
    highVolume: boolean;
  };
  TransactionRecord: {
    receipt: NewerFieldsMessages['TransactionReceipt'] | null;
    /** Thousandths of the usual fee. */
    highVolumePricingMultiplier: Long;
  };
  TransactionReceipt: {
    registeredNodeId: Long;
  };
  CryptoCreateTransactionBody: {
    delegationAddress: Buffer;
  };
  CryptoUpdateTransactionBody: {
    delegationAddress: Buffer;
  };
  NodeCreateTransactionBody: {
    associatedRegisteredNode: Long[];
  };
  NodeUpdateTransactionBody: {
    associatedRegisteredNodeList: NewerFieldsMessages['AssociatedRegisteredNodeList'] | null;
  };
  AssociatedRegisteredNodeList: {
    associatedRegisteredNode: Long[];
  };
  LedgerIdPublicationTransactionBody: {
    ledgerId: Buffer;
    historyProofVerificationKey: Buffer;
    nodeContributions: NewerFieldsMessages['LedgerIdNodeContribution'][];
  };
  LedgerIdNodeContribution: {
    nodeId: Long;
    weight: Long;
    historyProofKey: Buffer;
  };
  RegisteredNodeCreateTransactionBody: {
    /** A serialized Key. */
    adminKey: Buffer;
    description: string;
    serviceEndpoint: NewerFieldsMessages['RegisteredServiceEndpoint'][];
  };
  RegisteredNodeUpdateTransactionBody: {
    registeredNodeId: Long;
    /** A serialized Key. */
    adminKey: Buffer;
    description: NewerFieldsMessages['StringValue'] | null;
    serviceEndpoint: NewerFieldsMessages['RegisteredServiceEndpoint'][];
  };
  RegisteredNodeDeleteTransactionBody: {
    registeredNodeId: Long;
  };
  RegisteredServiceEndpoint: {
    ipAddress: Buffer;
    domainName: string;
    port: number;
    requiresTls: boolean;
    blockNode: NewerFieldsMessages['BlockNodeEndpoint'] | null;
    mirrorNode: NewerFieldsMessages['MirrorNodeEndpoint'] | null;
    rpcRelay: NewerFieldsMessages['RpcRelayEndpoint'] | null;
    generalService: NewerFieldsMessages['GeneralServiceEndpoint'] | null;
  };
  BlockNodeEndpoint: {
    /** 0 other, 1 status, 2 publish, 3 subscribe stream, 4 state proof. */
    endpointApi: number[];
  };
  MirrorNodeEndpoint: Record<string, never>;
  RpcRelayEndpoint: Record<string, never>;
  GeneralServiceEndpoint: {
    description: string;
  };
  MigrationRootHashVoteTransactionBody: {
    previousWrappedRecordBlockRootHash: Buffer;
    wrappedIntermediatePreviousBlockRootHashes: Buffer[];
    wrappedIntermediateBlockRootsLeafCount: Long;
  };
  /** google.protobuf.StringValue */
  StringValue: {
    value: string;
  };
};
