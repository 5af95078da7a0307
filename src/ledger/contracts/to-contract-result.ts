// A stored contract result as the ledger's value.
import { proto } from '../../protocol/hapi/hapi.ts';
import type { ContractResultRow } from '../../store/read/contract-result-row.ts';
import type { ResultOfContractRow } from '../../store/read/select-results-of-contract.ts';
import type {
  AccessListItem,
  AuthorizationListItem,
  ContractResult,
  EthereumTransactionPart,
} from './contract-result.ts';

export function toContractResult(row: ContractResultRow, gasPriceTinybar: bigint | null): ContractResult {
  return { ...toResultOfContract(row), gasPriceTinybar, block: toBlock(row), ethereum: toEthereumPart(row) };
}

/** Where block and Ethereum transaction were not asked for. */
export function toResultOfContract(row: ResultOfContractRow): ContractResult {
  return {
    amount: row.amount,
    bloom: row.bloom,
    callResult: row.callResult,
    consensusTimestamp: row.consensusTimestamp,
    contractId: row.contractId,
    contractEvmAddress: row.evmAddress,
    createdContractIds: row.createdContractIds ?? [],
    errorMessage: row.errorMessage,
    failedInitcode: row.failedInitcode,
    functionParameters: row.functionParameters ?? Buffer.alloc(0),
    gasConsumed: row.gasConsumed,
    gasPriceTinybar: null,
    gasLimit: row.gasLimit,
    gasUsed: row.gasUsed,
    senderId: row.senderId,
    senderAlias: row.senderId === null ? readSenderAlias(row.functionResult) : null,
    transactionHash: row.transactionHash,
    transactionIndex: row.transactionIndex,
    transactionResult: row.transactionResult,
    block: null,
    ethereum: null,
  };
}

// −1 in gas_used says that it was not counted.
function toBlock(row: ContractResultRow): ContractResult['block'] {
  if (row.blockHash === null) return null;
  const gasUsed = row.blockGasUsed === -1n ? null : row.blockGasUsed;
  return { hash: row.blockHash, number: row.blockNumber, gasUsed };
}

function toEthereumPart(row: ContractResultRow): EthereumTransactionPart | null {
  if (row.ethType === null) return null;
  return {
    accessList: (row.accessList ?? []) as unknown as AccessListItem[],
    authorizationList: (row.authorizationList ?? []) as unknown as AuthorizationListItem[],
    chainId: row.chainId,
    gasPrice: row.gasPrice,
    maxFeePerGas: row.maxFeePerGas,
    maxPriorityFeePerGas: row.maxPriorityFeePerGas,
    nonce: row.nonce,
    recoveryId: row.recoveryId,
    signatureR: row.signatureR,
    signatureS: row.signatureS,
    signatureV: row.signatureV,
    toAddress: row.toAddress,
    type: row.ethType,
    value: row.value,
  };
}

/** The alias in the stored ContractFunctionResult's sender_id; null where the bytes hold none. */
function readSenderAlias(functionResult: Buffer | null): Buffer | null {
  if (!functionResult || functionResult.length === 0) return null;
  let alias: Uint8Array | null | undefined;
  try {
    alias = proto.ContractFunctionResult.decode(functionResult).senderId?.alias;
  } catch {
    // The column holds what the network sent; bytes that are no such message name no sender, and the row still counts.
    return null;
  }
  return alias && alias.length > 0 ? Buffer.from(alias) : null;
}
