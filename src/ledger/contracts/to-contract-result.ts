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
    callResult: row.call_result,
    consensusTimestamp: row.consensus_timestamp,
    contractId: row.contract_id,
    contractEvmAddress: row.evm_address,
    createdContractIds: row.created_contract_ids ?? [],
    errorMessage: row.error_message,
    failedInitcode: row.failed_initcode,
    functionParameters: row.function_parameters ?? Buffer.alloc(0),
    gasConsumed: row.gas_consumed,
    gasPriceTinybar: null,
    gasLimit: row.gas_limit,
    gasUsed: row.gas_used,
    senderId: row.sender_id,
    senderAlias: row.sender_id === null ? readSenderAlias(row.function_result) : null,
    transactionHash: row.transaction_hash,
    transactionIndex: row.transaction_index,
    transactionResult: row.transaction_result,
    block: null,
    ethereum: null,
  };
}

// −1 in gas_used says that it was not counted.
function toBlock(row: ContractResultRow): ContractResult['block'] {
  if (row.block_hash === null) return null;
  const gasUsed = row.block_gas_used === -1n ? null : row.block_gas_used;
  return { hash: row.block_hash, number: row.block_number, gasUsed };
}

function toEthereumPart(row: ContractResultRow): EthereumTransactionPart | null {
  if (row.eth_type === null) return null;
  return {
    accessList: (row.access_list ?? []) as unknown as AccessListItem[],
    authorizationList: (row.authorization_list ?? []) as unknown as AuthorizationListItem[],
    chainId: row.chain_id,
    gasPrice: row.gas_price,
    maxFeePerGas: row.max_fee_per_gas,
    maxPriorityFeePerGas: row.max_priority_fee_per_gas,
    nonce: row.nonce,
    recoveryId: row.recovery_id,
    signatureR: row.signature_r,
    signatureS: row.signature_s,
    signatureV: row.signature_v,
    toAddress: row.to_address,
    type: row.eth_type,
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
