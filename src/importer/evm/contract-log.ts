// Rows of logs: emitted by a contract, or synthetic ones of token events. Logs are numbered through the whole block,
// topics lose their leading zeros.
import type { proto } from '../../../packages/protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { emptyBytes, trimTopic } from '../columns/stored-values.ts';

export type LogFacts = {
  contractId: bigint;
  /** Of the contract that was called from outside; 0n = none. */
  rootContractId: bigint;
  transactionHash: Uint8Array;
  /** The payer of the transaction that made the log, which may be a child of the item. */
  payerAccountId: bigint;
  bloom: Uint8Array;
  data: Uint8Array;
  topics: readonly Uint8Array[];
  synthetic: boolean;
};

/** @param item the transaction that the log is of */
export function addLog({ consensusTimestamp, evmIndex }: BlockItem, { rows, evm }: ItemContext, log: LogFacts): void {
  rows.insert('contract_log', {
    bloom: log.bloom,
    consensus_timestamp: consensusTimestamp,
    contract_id: log.contractId,
    data: log.data,
    index: evm.nextLogIndex,
    payer_account_id: log.payerAccountId,
    root_contract_id: log.rootContractId || null,
    synthetic: log.synthetic,
    topic0: trimTopic(log.topics[0]),
    topic1: trimTopic(log.topics[1]),
    topic2: trimTopic(log.topics[2]),
    topic3: trimTopic(log.topics[3]),
    transaction_hash: log.transactionHash,
    transaction_index: evmIndex,
  });
  evm.nextLogIndex += 1;
}

/** Returns the contract that emitted the log. */
export function addContractLog(
  item: BlockItem,
  context: ItemContext,
  log: proto.IContractLoginfo,
  { rootContractId, transactionHash }: Pick<LogFacts, 'rootContractId' | 'transactionHash'>,
): bigint {
  const contractId = context.guard(item, () => context.lookup.contract(log.contractID), 0n);
  addLog(item, context, {
    contractId,
    rootContractId,
    transactionHash,
    payerAccountId: item.payerAccountId,
    bloom: logBloom(context, contractId, log),
    data: log.data ?? emptyBytes,
    topics: log.topic ?? [],
    synthetic: false,
  });
  return contractId;
}

/** Block streams omit blooms; they follow from the emitter's address and the topics. */
export function logBloom(
  { evm, lookup }: ItemContext,
  contractId: bigint,
  { bloom, topic }: proto.IContractLoginfo,
): Uint8Array {
  return bloom && bloom.length > 0 ? bloom : evm.logBloom(lookup.evmAddressOf(contractId), topic ?? []);
}
