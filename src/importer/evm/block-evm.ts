// What EVM transactions of one block share: their numbering, the numbering of their logs, the gas of the block and its
// bloom. One object a block, counted up in item order; nothing else carries over between items.

import { decodeEntityId } from '../../protocol/hapi/entity-id.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { Row } from '../../store/schema/tables.ts';
import type { BlockItem } from '../block/block-item.ts';
import { contractFunctionResult, emptyBytes, isContractCallOrCreate } from './contract-facts.ts';
import { bloomLength, createLogBloom, type LogBloom } from './log-bloom.ts';

export type BlockEvm = {
  /** The next free EVM transaction index. */
  nextIndex: number;
  /** The next free log index; logs are numbered through the whole block. */
  nextLogIndex: number;
  /** Gas of the top-level items with a contract result. */
  gasUsed: bigint;
  /** Bloom of those items and of synthetic logs: 256 bytes, zeros where none has a log; empty while there is no such item. */
  logsBloom: Uint8Array;
  /** Makes blooms of logs. */
  logBloom: LogBloom;
  /** The results that the logs of later items may belong to. */
  results: Map<BlockItem, ResultRow>;
  /** The last call of the hook contract, which the items it caused are numbered by. */
  lastHookCall: BlockItem | null;
  /** Position of that call among the hook calls of its parent. */
  lastHookPosition: number;
};

/** The bloom grows with the logs of items that the contract caused. */
export type ResultRow = Omit<Row<'contract_result'>, 'bloom'> & { bloom: Uint8Array | null };

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

/** Number of the contract under which hooks run. */
const hookContractNum = 365n;

export function isHookContract(contractId: bigint): boolean {
  return decodeEntityId(contractId).num === hookContractNum;
}

/**
 * Gives the item its EVM index, before its rows are made: calls, creations and Ethereum transactions share the index of
 * the contract that caused them or take the next one; other types have none.
 */
export function assignEvmIndex(item: BlockItem, evm: BlockEvm): void {
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
    else if (item.record.contractCallResult || item.record.contractCreateResult) item.evmIndex = takeEvmIndex(evm);
  }
}

/** An item that only has synthetic logs takes a number of its own. */
export function assignSyntheticLogIndex(item: BlockItem, evm: BlockEvm): void {
  item.evmIndex ??= takeEvmIndex(evm);
}

/** ORs a bloom into the block's. An empty one says that there was a result without logs: the block's are zeros at least. */
export function addBloom(evm: BlockEvm, bloom: Uint8Array): void {
  if (evm.logsBloom.length === 0) evm.logsBloom = new Uint8Array(bloomLength);
  for (let index = 0; index < bloom.length && index < bloomLength; index += 1) {
    evm.logsBloom[index] = evm.logsBloom[index]! | bloom[index]!;
  }
}

/**
 * The item with the contract that caused this one: the hook call before it that has the same parent, where the item ran in
 * the EVM itself, else its parent. null where neither has a result.
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
