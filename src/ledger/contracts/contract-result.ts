// Contract results with what block and Ethereum transaction say of them: pages, and one with all that its transaction left
// behind.
import type { Range } from '../../kit/range.ts';
import type { JsonValue } from '../../store/schema/table.ts';
import type { ContractLog } from './contract-log.ts';

export type AccessListItem = { address: string; storage_keys: string[] };
/** As stored, members in stored order: `y_parity` is hex text, or a number in rows of older importers. */
export type AuthorizationListItem = Readonly<Record<string, JsonValue>>;

export type EthereumTransactionPart = {
  accessList: AccessListItem[];
  authorizationList: AuthorizationListItem[];
  chainId: Buffer | null;
  /** Prices and value: big-endian bytes, weibar. */
  gasPrice: Buffer | null;
  maxFeePerGas: Buffer | null;
  maxPriorityFeePerGas: Buffer | null;
  nonce: bigint;
  recoveryId: number | null;
  signatureR: Buffer;
  signatureS: Buffer;
  signatureV: Buffer | null;
  toAddress: Buffer | null;
  type: number;
  value: Buffer | null;
};

export type ContractResult = {
  amount: bigint | null;
  /** null = none stored, empty = all zero. */
  bloom: Buffer | null;
  callResult: Buffer | null;
  consensusTimestamp: bigint;
  contractId: bigint | null;
  /** evm_address column of the contract's entity. */
  contractEvmAddress: Buffer | null;
  createdContractIds: bigint[];
  errorMessage: string | null;
  failedInitcode: Buffer | null;
  functionParameters: Buffer;
  gasConsumed: bigint | null;
  /** tinybar, for rows without an Ethereum transaction, from system files 111 and 112; null when they say nothing. */
  gasPriceTinybar: bigint | null;
  gasLimit: bigint;
  gasUsed: bigint | null;
  senderId: bigint | null;
  /** EVM alias of the sender out of the stored function result; only looked for where senderId is null. */
  senderAlias: Buffer | null;
  transactionHash: Buffer | null;
  transactionIndex: number | null;
  /** ResponseCodeEnum. */
  transactionResult: number;
  /** gasUsed null = it was not counted. */
  block: { hash: string; number: bigint; gasUsed: bigint | null } | null;
  ethereum: EthereumTransactionPart | null;
};

/** Call data that was put into a file and initcode of a failed creation are taken in. */
export type ContractResultDetail = ContractResult & {
  logs: ContractLog[];
  stateChanges: StateChange[];
};

export type StateChange = {
  contractId: bigint;
  contractEvmAddress: Buffer | null;
  slot: Buffer;
  valueRead: Buffer;
  /** null = the slot was only read. */
  valueWritten: Buffer | null;
};

/** How the execution of a transaction is named; `hash` has 32 bytes, `validStart` is ns. */
export type ExecutionName =
  | { kind: 'hash'; hash: Buffer }
  | { kind: 'id'; payerAccountId: bigint; validStart: bigint; nonce: bigint };

/** When it was, ns, and who paid. */
export type Execution = { consensusTimestamp: bigint; payerAccountId: bigint };

type Comparison = { operator: 'ne' | 'lt' | 'lte' | 'gt' | 'gte'; id: bigint };

export type ResultsOfContractQuery = {
  sender: { equals: bigint[]; others: Comparison[] };
  block: { number: bigint } | { hashPrefix: string } | null;
  transactionIndexes: bigint[];
  internal: boolean;
  timestamp: Range;
  order: 'asc' | 'desc';
  limit: number;
};

export type ContractResultsQuery = ResultsOfContractQuery & {
  /** Whether rows made from synthetic contract logs are merged in (`--synthetic-results`). */
  synthetic: boolean;
};

export type ContractActionsQuery = {
  execution: Execution;
  /** Every condition must hold. */
  index: Range;
  order: 'asc' | 'desc';
  limit: number;
};
