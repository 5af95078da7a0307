// Logs that no contract emitted: those of the token events of a transaction. Under a transaction that ran in the EVM they
// are logs of its contract, else the token itself is the emitter. What an item with a result of its own moved stands in
// the logs of contracts from HAPI 0.71 on, and gets none here; before, its transfers of fungible tokens do.

import { addBloom, assignSyntheticLogIndex, contractParent } from './block-evm.ts';
import { contractFunctionResult } from './contract-facts.ts';
import { evmTransactionHash } from './ethereum-hash.ts';
import { isHapiAtLeast } from '../block/hapi-version.ts';
import type { BlockItem, HandlerContext } from '../block/item-context.ts';
import { tokenEvents } from './token-events.ts';

export function addSyntheticLogs(item: BlockItem, context: HandlerContext): void {
  const { cryptoApproveAllowance, cryptoDeleteAllowance } = item.body;
  if (!item.record.tokenTransferLists?.length && !cryptoApproveAllowance && !cryptoDeleteAllowance) return;
  const { evm, lookup } = context;
  const hasResult = contractFunctionResult(item.record) !== null;
  if (hasResult && isHapiAtLeast(context.block, 0, 71, 0)) return;
  const events = tokenEvents(item, context).filter(({ movesAmount }) => movesAmount || !hasResult);
  if (events.length === 0) return;
  const parent = contractParent(item, evm);
  if (!parent) assignSyntheticLogIndex(item, evm);
  const place = parent ?? item;
  const contract = parent ? parentContract(parent, context) : null;
  const transactionHash = evmTransactionHash(place, context.files);
  for (const { tokenId, movesAmount, topics, data } of events) {
    const contractId = contract ? contract.id : tokenId;
    const bloom = hasResult ? evm.logBloom(lookup.evmAddressOf(contractId), topics.map(toWord)) : noValue;
    context.rows.insert('contract_log', {
      bloom,
      consensus_timestamp: place.consensusTimestamp,
      contract_id: contractId,
      data: data ?? noValue,
      index: evm.nextLogIndex,
      payer_account_id: item.payerAccountId,
      root_contract_id: contract ? contract.rootId || null : tokenId,
      synthetic: movesAmount === true,
      topic0: topics[0],
      topic1: topics[1],
      topic2: topics[2],
      topic3: topics[3] ?? null,
      transaction_hash: transactionHash,
      transaction_index: place.evmIndex,
    });
    evm.nextLogIndex += 1;
    if (hasResult && parent) addToResult(parent, context, bloom);
  }
}

/** How a bloom, and data that says nothing, is kept. */
const noValue = Buffer.of(0);

/** The contract of the parent's result, and that of its receipt, which is the one that was called from outside. */
function parentContract(parent: BlockItem, { guard, lookup }: HandlerContext): { id: bigint; rootId: bigint } {
  const { record } = parent;
  return {
    id: guard(parent, () => lookup.contract(contractFunctionResult(record)?.contractID), 0n),
    rootId: guard(parent, () => lookup.contract(record.receipt?.contractID), 0n),
  };
}

/** The bloom of the parent's result, and with it that of the block, covers these logs too. */
function addToResult(parent: BlockItem, { evm }: HandlerContext, bloom: Uint8Array): void {
  const row = evm.results.get(parent);
  if (!row) return;
  const together = new Uint8Array(bloom.length);
  for (const [index, byte] of bloom.entries()) together[index] = byte | (row.bloom?.[index] ?? 0);
  row.bloom = together;
  addBloom(evm, bloom);
}

/** 32 bytes: topics are kept without leading zeros, a bloom is made of the whole ones. */
function toWord(topic: Uint8Array): Uint8Array {
  const word = Buffer.alloc(32);
  Buffer.from(topic).copy(word, 32 - topic.length);
  return word;
}
