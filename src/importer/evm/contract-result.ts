// The effects of the EVM, for any transaction with any status: at most one result, logs (also of token events), calls,
// storage, nonces, and the gas and bloom of the block.

import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import { type ItemContext, isHapiAtLeast, type ResultRow } from '../block/item-context.ts';
import { emptyBytes, nonEmpty, toStoredText } from '../columns/stored-values.ts';
import { addBloom, contractFunctionResult, isContractCallOrCreate } from './block-evm.ts';
import { addContractSidecars, type SidecarFacts } from './contract-sidecar.ts';
import { addCreatedContracts } from './created-contract.ts';
import { type DecidedLog, resultLogs, syntheticLogs } from './decide-logs.ts';
import { decodedEthereumTransaction, evmTransactionHash, sentInitcode, sentToEvm } from './ethereum-data.ts';
import { compactBloom, mergeBlooms } from './log-bloom.ts';
import { writeLogs, writeSyntheticLogs } from './write-logs.ts';

export function addContractResult(item: BlockItem, context: ItemContext): void {
  const ofTokens = context.guard(item, () => syntheticLogs(item, context), null);
  if (ofTokens) writeSyntheticLogs(item, context, ofTokens);
  const result = contractFunctionResult(item.record);
  const isCallOrCreate = isContractCallOrCreate(item.type);
  if (!result && !isCallOrCreate && item.sidecars.length === 0 && item.type !== typeNumber.ethereumTransaction) return;

  const sidecars = addContractSidecars(item, context);
  const resultBytes = item.functionResultBytes;
  const involved = new Set<bigint>(sidecars.contractIds);
  if (resultBytes.length > 0 || isCallOrCreate) {
    const contractId = isCallOrCreate ? item.entityId : contractOrNone(item, context, result?.contractID);
    addResultRows(item, context, { contractId, result, resultBytes, sidecars, involved });
  } else {
    addFailedEthereumResult(item, context, involved);
  }
  addContractTransactions(item, context, involved);
}

/** 0n for none and, reported, for an invalid id: the rest of the result is kept. */
function contractOrNone(
  item: BlockItem,
  { guard, lookup }: ItemContext,
  id: proto.IContractID | null | undefined,
): bigint {
  return guard(item, () => lookup.contract(id), 0n);
}

/** Of the result itself, or, if omitted there, of its logs. */
function resultBloom({ bloom }: proto.IContractFunctionResult, logs: readonly DecidedLog[]): Uint8Array {
  const isOmitted = logs.length > 0 && !(bloom && bloom.length > 0);
  return isOmitted ? mergeBlooms(logs.map((log) => log.bloom)) : compactBloom(bloom);
}

type ResultFacts = {
  /** 0n = none. */
  contractId: bigint;
  result: proto.IContractFunctionResult | null;
  /** `result` serialized; empty if there is none. */
  resultBytes: Uint8Array;
  sidecars: SidecarFacts;
  /** Collects the accounts and contracts that took part. */
  involved: Set<bigint>;
};

function addResultRows(item: BlockItem, context: ItemContext, facts: ResultFacts): void {
  const { contractId, resultBytes, sidecars, involved } = facts;
  const result = resultBytes.length > 0 ? facts.result : null;
  const transactionHash = evmTransactionHash(item, context.files);
  const input = callInput(item, context, result);
  const logs = result ? resultLogs(item, context, result, { rootContractId: contractId, transactionHash }) : [];
  const bloom = result ? resultBloom(result, logs) : null;
  const created = (result?.createdContractIDs ?? []).filter((id) => contractOrNone(item, context, id) !== 0n);
  const gasUsed = result ? toBigInt(result.gasUsed) : null;

  const row: ResultRow = {
    ...input,
    bloom,
    call_result: result ? (result.contractCallResult ?? emptyBytes) : null,
    consensus_timestamp: item.consensusTimestamp,
    contract_id: contractId,
    created_contract_ids: created.map((id) => context.lookup.contract(id)),
    error_message: result ? toStoredText(result.errorMessage ?? '') : null,
    failed_initcode: failedInitcode(item, context, sidecars),
    function_result: result ? resultBytes : null,
    gas_consumed: burnedGas(item, context, sidecars, gasUsed, input.function_parameters),
    gas_used: gasUsed,
    payer_account_id: item.payerAccountId,
    sender_id: senderOf(item, context, result) || null,
    transaction_hash: transactionHash,
    transaction_index: item.evmIndex,
    transaction_nonce: item.body.transactionID?.nonce ?? 0,
    transaction_result: item.status,
  };
  context.rows.insert('contract_result', row);
  context.evm.results.set(item, row);
  addTransactionHash(item, context, contractId, transactionHash);
  involved.add(item.payerAccountId).add(contractId);
  if (!result) return;

  if (item.topLevel) {
    context.evm.gasUsed += gasUsed ?? 0n;
    addBloom(context.evm, bloom ?? emptyBytes);
  }
  writeLogs(item, context, logs);
  for (const log of logs) involved.add(log.contractId);
  for (const { contractId: id, nonce } of result.contractNonces ?? []) {
    const nonceOf = contractOrNone(item, context, id);
    if (nonceOf !== 0n) context.rows.version('entity', { id: nonceOf, ethereum_nonce: toBigInt(nonce) });
  }
  // Before HAPI 0.23.0 contracts created inside a transaction had no records.
  if (item.successful && !isHapiAtLeast(context.block, 0, 23, 0)) {
    const others = created.filter((id) => context.lookup.contract(id) !== contractId);
    addCreatedContracts(item, context, others);
  }
}

/** The network refused an Ethereum transaction before the EVM ran; clients still expect a result for its hash. */
function addFailedEthereumResult(item: BlockItem, context: ItemContext, involved: Set<bigint>): void {
  if (item.type !== typeNumber.ethereumTransaction || item.successful) return;
  if (item.status === responseCode.DUPLICATE_TRANSACTION || item.status === responseCode.WRONG_NONCE) return;
  const decoded = decodedEthereumTransaction(item);
  if (!decoded) return; // The handler of the type reports undecodable data.
  const transactionHash = evmTransactionHash(item, context.files);
  context.rows.insert('contract_result', {
    call_result: emptyBytes,
    consensus_timestamp: item.consensusTimestamp,
    contract_id: 0n,
    created_contract_ids: [],
    function_parameters: decoded.callData,
    gas_limit: decoded.gasLimit,
    gas_used: 0n,
    payer_account_id: item.payerAccountId,
    sender_id: item.payerAccountId,
    transaction_hash: transactionHash,
    transaction_index: item.evmIndex,
    transaction_nonce: item.body.transactionID?.nonce ?? 0,
    transaction_result: item.status,
  });
  addTransactionHash(item, context, 0n, transactionHash);
  involved.add(item.payerAccountId).add(0n);
}

function addTransactionHash(item: BlockItem, { rows }: ItemContext, contractId: bigint, hash: Uint8Array): void {
  rows.insert('contract_transaction_hash', {
    consensus_timestamp: item.consensusTimestamp,
    entity_id: contractId,
    hash,
    payer_account_id: item.payerAccountId,
    transaction_result: item.status,
  });
}

/** One row for each participant, and every row names all of them; 0 stands for the contract of a result without one. */
function addContractTransactions(item: BlockItem, context: ItemContext, involved: Set<bigint>): void {
  const contractIds = [...involved];
  for (const id of contractIds) {
    context.rows.insert('contract_transaction', {
      consensus_timestamp: item.consensusTimestamp,
      contract_ids: contractIds,
      entity_id: id,
      payer_account_id: item.payerAccountId,
    });
  }
}

type CallInput = { amount: bigint | null; function_parameters: Uint8Array; gas_limit: bigint };

/** The input of the contract: in the body of calls and creations, in the function result of all others. */
function callInput(item: BlockItem, context: ItemContext, result: proto.IContractFunctionResult | null): CallInput {
  const { contractCall, contractCreateInstance } = item.body;
  if (contractCall) {
    return {
      amount: toBigInt(contractCall.amount),
      function_parameters: contractCall.functionParameters ?? emptyBytes,
      gas_limit: toBigInt(contractCall.gas),
    };
  }
  if (contractCreateInstance) {
    return {
      amount: toBigInt(contractCreateInstance.initialBalance),
      function_parameters: contractCreateInstance.constructorParameters ?? emptyBytes,
      gas_limit: toBigInt(contractCreateInstance.gas),
    };
  }
  const sent = result && item.recordBytes === null ? sentToEvm(item, context) : null;
  if (sent) return { amount: sent.amount, function_parameters: sent.callData, gas_limit: sent.gasLimit };
  return {
    amount: result ? toBigInt(result.amount) : null,
    function_parameters: result?.functionParameters ?? emptyBytes,
    gas_limit: toBigInt(result?.gas),
  };
}

function senderOf(item: BlockItem, context: ItemContext, result: proto.IContractFunctionResult | null): bigint {
  return result?.senderId ? context.lookup.account(result.senderId) : item.payerAccountId;
}

function failedInitcode(item: BlockItem, context: ItemContext, sidecars: SidecarFacts): Uint8Array | null {
  if (item.successful) return null;
  return nonEmpty(item.body.contractCreateInstance?.initcode) ?? sidecars.initcode ?? sentInitcode(item, context);
}

/**
 * Gas that the transaction burned, as opposed to the gas charged. From HAPI 0.69.0 on the network reports it; before,
 * it follows from the sidecar's top action and Ethereum's intrinsic costs.
 */
function burnedGas(
  { body }: BlockItem,
  { block }: ItemContext,
  { topAction, initcode }: SidecarFacts,
  gasUsed: bigint | null,
  parameters: Uint8Array,
): bigint | null {
  if (isHapiAtLeast(block, 0, 69, 0)) return gasUsed;
  if (!topAction) return null;
  const { isCreation } = topAction;
  const payload = (isCreation && (initcode ?? body.contractCreateInstance?.initcode)) || parameters;
  let zeros = 0;
  for (const byte of payload) if (byte === 0) zeros += 1;
  const payloadGas = BigInt(zeros) * zeroByteGas + BigInt(payload.length - zeros) * otherByteGas;
  return topAction.gasUsed + transactionGas + payloadGas + (isCreation ? creationGas : 0n);
}

const transactionGas = 21_000n;
const creationGas = 32_000n;
const zeroByteGas = 4n;
const otherByteGas = 16n;
