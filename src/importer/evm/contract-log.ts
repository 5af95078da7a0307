// Rows of the logs that a contract emitted. Logs are numbered through the whole block, topics lose their leading zeros.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { emptyBytes, trimTopic } from './contract-facts.ts';
import type { BlockItem, HandlerContext } from '../block/item-context.ts';

/** Returns the contracts that emitted them. */
export function addContractLogs(
  item: BlockItem,
  context: HandlerContext,
  { logs, rootContractId, transactionHash }: ContractLogs,
): bigint[] {
  return logs.map((log) => {
    const contractId = context.guard(item, () => context.lookup.contract(log.contractID), 0n);
    const topics = log.topic ?? [];
    context.rows.insert('contract_log', {
      bloom: logBloom(context, contractId, log),
      consensus_timestamp: item.consensusTimestamp,
      contract_id: contractId,
      data: log.data ?? emptyBytes,
      index: context.evm.nextLogIndex,
      payer_account_id: item.payerAccountId,
      root_contract_id: rootContractId || null,
      synthetic: false,
      topic0: trimTopic(topics[0]),
      topic1: trimTopic(topics[1]),
      topic2: trimTopic(topics[2]),
      topic3: trimTopic(topics[3]),
      transaction_hash: transactionHash,
      transaction_index: item.evmIndex,
    });
    context.evm.nextLogIndex += 1;
    return contractId;
  });
}

/** Block streams leave blooms out; they follow from the emitter's address and the topics. */
export function logBloom(
  { evm, lookup }: HandlerContext,
  contractId: bigint,
  { bloom, topic }: proto.IContractLoginfo,
): Uint8Array {
  return bloom && bloom.length > 0 ? bloom : evm.logBloom(lookup.evmAddressOf(contractId), topic ?? []);
}

export type ContractLogs = {
  logs: readonly proto.IContractLoginfo[];
  /** 0n = none. */
  rootContractId: bigint;
  transactionHash: Uint8Array;
};
