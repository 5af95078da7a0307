// Logs of token events, which no contract emitted. In a transaction that ran in the EVM the emitter is its contract,
// else the token. From HAPI 0.71 on an item with a result gets none; before, only for its transfers of fungible tokens.

import type { BlockItem } from '../block/block-item.ts';
import { type ItemContext, isHapiAtLeast } from '../block/item-context.ts';
import { padWord } from '../columns/stored-values.ts';
import { addBloom, assignSyntheticLogIndex, contractFunctionResult, contractParent } from './block-evm.ts';
import { addLog } from './contract-log.ts';
import { evmTransactionHash } from './ethereum-data.ts';
import { mergeBloom } from './log-bloom.ts';
import { tokenEvents } from './token-events.ts';

export function addSyntheticLogs(item: BlockItem, context: ItemContext): void {
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
  for (const { tokenId, topics, data } of events) {
    const contractId = contract ? contract.id : tokenId;
    const bloom = hasResult ? evm.logBloom(lookup.evmAddressOf(contractId), topics.map(padWord)) : noValue;
    addLog(place, context, {
      contractId,
      rootContractId: contract ? contract.rootId : tokenId,
      transactionHash,
      payerAccountId: item.payerAccountId,
      bloom,
      data: data ?? noValue,
      topics,
      synthetic: true,
    });
    if (hasResult && parent) addToResult(parent, context, bloom);
  }
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

/** The bloom of the parent's result, and with it that of the block, covers these logs too. */
function addToResult(parent: BlockItem, { evm }: ItemContext, bloom: Uint8Array): void {
  const row = evm.results.get(parent);
  if (!row) return;
  const together = new Uint8Array(bloom);
  if (row.bloom) mergeBloom(together, row.bloom);
  row.bloom = together;
  addBloom(evm, bloom);
}
