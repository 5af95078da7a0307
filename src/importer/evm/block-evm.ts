// State that EVM transactions of one block share: their indexes, those of their logs, gas and bloom of the block.

import type { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { isHookContract } from '../../../packages/protocol/hapi/system-entity.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { BlockEvm, ItemContext } from '../block/item-context.ts';
import { emptyBytes } from '../columns/stored-values.ts';
import { bloomLength, createLogBloom, mergeBloom } from './log-bloom.ts';

export function createBlockEvm(): BlockEvm {
  return {
    nextIndex: 0,
    nextLogIndex: 0,
    gasUsed: 0n,
    logsBloom: emptyBytes,
    logBloom: createLogBloom(),
    results: new Map(),
    lastHookCall: null,
    lastHookPosition: 0,
  };
}

/**
 * Sets the item's EVM index, before its rows are made: calls, creations and Ethereum transactions share the index of
 * the contract that caused them or take the next one; other types have none.
 */
export function assignEvmIndex(item: BlockItem, { evm }: Pick<ItemContext, 'evm'>): void {
  if (item.type === typeNumber.contractCall && isHookContract(item.entityId)) {
    evm.lastHookPosition = evm.lastHookCall?.parent === item.parent ? evm.lastHookPosition + 1 : 0;
    evm.lastHookCall = item;
  }
  if (
    (isContractCallOrCreate(item.type) || item.type === typeNumber.ethereumTransaction) &&
    item.status !== responseCode.WRONG_NONCE
  ) {
    const inherited = contractParent(item, evm)?.evmIndex ?? null;
    if (inherited !== null) item.evmIndex = inherited;
    else if (contractFunctionResult(item.record)) item.evmIndex = takeEvmIndex(evm);
  }
}

/** An item with only synthetic logs takes the next index. */
export function assignSyntheticLogIndex(item: BlockItem, evm: BlockEvm): void {
  item.evmIndex ??= takeEvmIndex(evm);
}

/**
 * ORs a bloom into the block's. An empty one means a result without logs: the block's is then at least 256 zero bytes.
 */
export function addBloom(evm: BlockEvm, bloom: Uint8Array): void {
  if (evm.logsBloom.length === 0) evm.logsBloom = new Uint8Array(bloomLength);
  mergeBloom(evm.logsBloom, bloom);
}

/**
 * The item with the contract that caused this one: the preceding hook call with the same parent, if the item ran in the
 * EVM itself, else its parent. null if neither has a result.
 */
export function contractParent(item: BlockItem, { lastHookCall }: BlockEvm): BlockItem | null {
  const { parent } = item;
  if (parent === null) return null;
  const mayBeOfHook = lastHookCall !== null && lastHookCall !== item && lastHookCall.parent === parent;
  if (mayBeOfHook && contractFunctionResult(item.record) !== null) return lastHookCall;
  return contractFunctionResult(parent.record) === null ? null : parent;
}

function takeEvmIndex(evm: BlockEvm): number {
  const index = evm.nextIndex;
  evm.nextIndex += 1;
  return index;
}

/** The EVM's result of a creation or a call; null if the record holds neither. */
export function contractFunctionResult(record: proto.ITransactionRecord): proto.IContractFunctionResult | null {
  return record.contractCreateResult ?? record.contractCallResult ?? null;
}

/** The sender in the EVM; 0n if there is no result, or it names none. */
export function evmSender({ record }: BlockItem, { lookup }: ItemContext): bigint {
  const senderId = contractFunctionResult(record)?.senderId;
  return senderId ? lookup.account(senderId) : 0n;
}

export function isContractCallOrCreate(type: number): boolean {
  return type === typeNumber.contractCall || type === typeNumber.contractCreateInstance;
}
