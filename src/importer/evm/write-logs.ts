// Rows of the logs that were decided on, and the blooms that cover them. Logs are numbered through the whole block,
// topics lose their leading zeros.
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { trimTopic } from '../columns/stored-values.ts';
import { addBloom, assignSyntheticLogIndex } from './block-evm.ts';
import type { DecidedLog, SyntheticLogs } from './decide-logs.ts';
import { mergeBlooms } from './log-bloom.ts';

/** @param owner the transaction that the logs are of */
export function writeLogs(
  { consensusTimestamp, evmIndex }: BlockItem,
  { rows, evm }: ItemContext,
  logs: readonly DecidedLog[],
): void {
  for (const log of logs) {
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
}

/** @param item the transaction with the token events */
export function writeSyntheticLogs(item: BlockItem, context: ItemContext, decided: SyntheticLogs): void {
  const { owner, logs, belongToResult } = decided;
  const { evm } = context;
  if (owner === item) assignSyntheticLogIndex(item, evm);
  writeLogs(owner, context, logs);
  const row = belongToResult ? evm.results.get(owner) : undefined;
  if (!row) return;
  const blooms = logs.map(({ bloom }) => bloom);
  row.bloom = mergeBlooms(row.bloom ? [row.bloom, ...blooms] : blooms);
  for (const bloom of blooms) addBloom(evm, bloom);
}
