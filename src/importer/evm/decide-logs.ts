// Which logs a transaction has, before any row is made: those that its contracts emitted, and those of token events,
// which no contract emitted.
import type { proto } from '../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import { type ItemContext, isHapiAtLeast } from '../block/item-context.ts';
import { emptyBytes, padWord } from '../columns/stored-values.ts';
import { contractFunctionResult, contractParent } from './block-evm.ts';
import { evmTransactionHash } from './ethereum-data.ts';
import { tokenEvents } from './token-events.ts';

export type DecidedLog = {
  contractId: bigint;
  /** Of the contract that was called from outside; 0n = none. */
  rootContractId: bigint;
  transactionHash: Uint8Array;
  /** The payer of the transaction that made the log, which may be a child of the one that the log is of. */
  payerAccountId: bigint;
  bloom: Uint8Array;
  data: Uint8Array;
  topics: readonly Uint8Array[];
  synthetic: boolean;
};

/** In the order of the result, 0n as contract for an invalid id. */
export function resultLogs(
  item: BlockItem,
  context: ItemContext,
  result: proto.IContractFunctionResult,
  { rootContractId, transactionHash }: Pick<DecidedLog, 'rootContractId' | 'transactionHash'>,
): DecidedLog[] {
  return (result.logInfo ?? []).map((log) => {
    const contractId = context.guard(item, () => context.lookup.contract(log.contractID), 0n);
    return {
      contractId,
      rootContractId,
      transactionHash,
      payerAccountId: item.payerAccountId,
      bloom: bloomOf(context, contractId, log),
      data: log.data ?? emptyBytes,
      topics: log.topic ?? [],
      synthetic: false,
    };
  });
}

/** Block streams omit blooms; they follow from the emitter's address and the topics. */
function bloomOf(
  { evm, lookup }: ItemContext,
  contractId: bigint,
  { bloom, topic }: proto.IContractLoginfo,
): Uint8Array {
  return bloom && bloom.length > 0 ? bloom : evm.logBloom(lookup.evmAddressOf(contractId), topic ?? []);
}

export type SyntheticLogs = {
  /** The transaction that the logs are of: the one whose contract caused the events, or the item itself. */
  owner: BlockItem;
  logs: DecidedLog[];
  /** Whether the bloom of the owner's result covers them. */
  belongToResult: boolean;
};

/**
 * Logs of token events; null for none. In a transaction that ran in the EVM the emitter is its contract, else the
 * token. From HAPI 0.71 on an item with a result gets none; before, only for its transfers of fungible tokens.
 */
export function syntheticLogs(item: BlockItem, context: ItemContext): SyntheticLogs | null {
  const { cryptoApproveAllowance, cryptoDeleteAllowance } = item.body;
  if (!item.record.tokenTransferLists?.length && !cryptoApproveAllowance && !cryptoDeleteAllowance) return null;
  const { evm, lookup } = context;
  const hasResult = contractFunctionResult(item.record) !== null;
  if (hasResult && isHapiAtLeast(context.block, 0, 71, 0)) return null;
  const events = tokenEvents(item, context).filter(({ movesAmount }) => movesAmount || !hasResult);
  if (events.length === 0) return null;
  const parent = contractParent(item, evm);
  const owner = parent ?? item;
  const contract = parent ? parentContract(parent, context) : null;
  const transactionHash = evmTransactionHash(owner, context.files);
  const logs = events.map(({ tokenId, topics, data }): DecidedLog => {
    const contractId = contract ? contract.id : tokenId;
    return {
      contractId,
      rootContractId: contract ? contract.rootId : tokenId,
      transactionHash,
      payerAccountId: item.payerAccountId,
      bloom: hasResult ? evm.logBloom(lookup.evmAddressOf(contractId), topics.map(padWord)) : noValue,
      data: data ?? noValue,
      topics,
      synthetic: true,
    };
  });
  return { owner, logs, belongToResult: hasResult && parent !== null };
}

/** The stored form of an empty bloom and of empty data. */
const noValue = Buffer.of(0);

/** The contract of the parent's result, and that of its receipt, which is the one called from outside. */
function parentContract(parent: BlockItem, { guard, lookup }: ItemContext): { id: bigint; rootId: bigint } {
  const { record } = parent;
  return {
    id: guard(parent, () => lookup.contract(contractFunctionResult(record)?.contractID), 0n),
    rootId: guard(parent, () => lookup.contract(record.receipt?.contractID), 0n),
  };
}
