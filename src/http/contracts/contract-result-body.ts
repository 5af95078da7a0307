// A contract result as an item of contracts/results (reference: rest §4). Where an Ethereum transaction led to it, that
// says the prices, the value and the signature; else most of these are null.
import type {
  AuthorizationListItem,
  ContractResult,
  EthereumTransactionPart,
} from '../../ledger/contracts/contract-result.ts';
import { isSuccess, responseCodeName } from '../../protocol/hapi/response-codes.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { formatLinks } from '../parameters/next-link.ts';
import { formatHex, formatHexQuantity, toUnsignedInteger } from '../values/hex-text.ts';
import {
  toJsonArray,
  toJsonEntityId,
  toJsonInteger,
  toJsonLongZeroAddress,
  toJsonString,
  toJsonTimestamp,
} from '../values/json-text.ts';

export type ContractResultStyle = {
  dialect: Dialect;
  /** Amounts and prices in tinybar, else in weibar. */
  hbar: boolean;
  chainId: bigint;
  /** Show authorization_list. */
  authorizationList: boolean;
};

const weibarPerTinybar = 10_000_000_000n;

export function formatContractResultsBody(
  results: readonly ContractResult[],
  next: string | null,
  style: ContractResultStyle,
): string {
  return `{"results":${toJsonArray(results, (result) => formatContractResult(result, style))},${formatLinks(next)}}`;
}

function formatContractResult(item: ContractResult, style: ContractResultStyle): string {
  const { ethereum, block } = item;
  const { dialect, hbar } = style;
  const success = isSuccess(item.transactionResult);
  const address = item.contractEvmAddress
    ? `"${formatHex(item.contractEvmAddress)}"`
    : toJsonLongZeroAddress(item.contractId);
  const to = ethereum?.toAddress?.length
    ? `"${formatHex(ethereum.toAddress)}"`
    : toJsonLongZeroAddress(item.contractId);
  const price = (bytes: Buffer | null): string => `"${hbar ? formatTinybarPrice(bytes) : formatHexQuantity(bytes)}"`;
  const authorizations =
    ethereum && style.authorizationList
      ? `,"authorization_list":${toJsonArray(ethereum.authorizationList, formatAuthorization)}`
      : '';
  return `{"address":${address},"amount":${toJsonInteger(toAmount(item, hbar))},"bloom":"${formatBloom(item.bloom)}","call_result":"${formatHex(item.callResult)}","contract_id":${toJsonEntityId(item.contractId)},"created_contract_ids":${toJsonArray(item.createdContractIds, toJsonEntityId)},"error_message":${formatErrorMessage(item, success)},"from":${formatSender(item)},"function_parameters":"${formatHex(item.functionParameters)}","gas_consumed":${toJsonInteger(item.gasConsumed)},"gas_limit":${item.gasLimit},"gas_used":${toJsonInteger(item.gasUsed)},"timestamp":${toJsonTimestamp(item.consensusTimestamp)},"to":${to},"hash":"${formatHex(item.transactionHash)}","block_hash":"0x${block?.hash ?? ''}","block_number":${toJsonInteger(block?.number ?? null)},"result":"${responseCodeName(item.transactionResult)}","transaction_index":${toJsonInteger(item.transactionIndex)},"status":${dialect.toJsonStatus(success)},"failed_initcode":${item.failedInitcode?.length ? `"${formatHex(item.failedInitcode)}"` : 'null'},"access_list":${dialect.toJsonAccessList(ethereum?.accessList ?? [])},"block_gas_used":${toJsonInteger(block?.gasUsed ?? null)},"chain_id":"${ethereum ? formatHexQuantity(ethereum.chainId) : `0x${style.chainId.toString(16)}`}","gas_price":${ethereum ? price(ethereum.gasPrice) : formatSystemGasPrice(item.gasPriceTinybar)},"max_fee_per_gas":${ethereum ? price(ethereum.maxFeePerGas) : 'null'},"max_priority_fee_per_gas":${ethereum ? price(ethereum.maxPriorityFeePerGas) : 'null'},"r":${ethereum ? `"${formatHex(ethereum.signatureR)}"` : 'null'},"s":${ethereum ? `"${formatHex(ethereum.signatureS)}"` : 'null'},"type":${ethereum?.type ?? 0},"v":${ethereum ? formatSignatureV(ethereum) : 'null'},"nonce":${toJsonInteger(ethereum?.nonce ?? null)}${authorizations}}`;
}

/** An Ethereum transaction's value is weibar, the record's amount tinybar. */
function toAmount({ amount, ethereum }: ContractResult, hbar: boolean): bigint | null {
  if (!ethereum) return amount === null || hbar ? amount : amount * weibarPerTinybar;
  if (!ethereum.value?.length) return null;
  const weibar = toUnsignedInteger(ethereum.value);
  return hbar ? weibar / weibarPerTinybar : weibar;
}

function formatTinybarPrice(weibar: Buffer | null): string {
  if (!weibar?.length) return '0x';
  return `0x${(toUnsignedInteger(weibar) / weibarPerTinybar).toString(16)}`;
}

function formatSystemGasPrice(tinybar: bigint | null): string {
  return tinybar === null ? 'null' : `"0x${tinybar.toString(16)}"`;
}

const emptyBloom = `0x${'0'.repeat(512)}`;

/** None stored is nothing; stored but empty is a filter of 256 zero bytes. */
function formatBloom(bloom: Buffer | null): string {
  return bloom?.length === 0 ? emptyBloom : formatHex(bloom);
}

function formatErrorMessage({ errorMessage, ethereum, transactionResult }: ContractResult, success: boolean): string {
  if (errorMessage) return toJsonString(errorMessage);
  return ethereum && !success ? `"${responseCodeName(transactionResult)}"` : 'null';
}

function formatSender({ senderId, senderAlias }: ContractResult): string {
  if (senderId === null && senderAlias?.length) return `"${formatHex(senderAlias)}"`;
  return toJsonLongZeroAddress(senderId);
}

function formatSignatureV({ type, signatureV, recoveryId }: EthereumTransactionPart): string {
  if (type === 0 && signatureV?.length) return toUnsignedInteger(signatureV).toString();
  return toJsonInteger(recoveryId);
}

function formatAuthorization(item: AuthorizationListItem): string {
  return `{"address":${toJsonString(item.address)},"chain_id":${toJsonString(item.chain_id)},"nonce":${item.nonce},"r":${toJsonString(item.r)},"s":${toJsonString(item.s)},"y_parity":${item.y_parity}}`;
}
