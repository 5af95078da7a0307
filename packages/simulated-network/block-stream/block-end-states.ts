// State changes of no transaction: the receipts of a round, and single values at the end of a block. Their time is that
// of the last result before them.

import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import { timestamp, toLong } from '../ledger/hapi-values.ts';
import type { StreamItem } from '../run/stream-item.ts';
import { encodeMessage, joinFields, noBytes, splitFields } from './message-fields.ts';
import type { StateForm } from './partial-state.ts';
import { updateSingleton } from './state-change.ts';

/** Numbers of states, and of their values in SingletonUpdateChange. */
const singletons = {
  entityId: [1, 3],
  throttleUsage: [12, 9],
  congestionLevels: [13, 2],
  blocks: [19, 1],
  blockStream: [24, 11],
} as const;
const receiptQueue = 126;
/** Lower numbers are system entities. */
const lastReserved = 1000n;

/** The receipts of these transactions join the queue of recent ones. */
export function pushReceipts(items: readonly StreamItem[], nodeId: bigint): BlockStreamItem {
  const entries = items.map(({ record }) => {
    const fields = splitFields(record);
    const [receipt] = fields.bytes(1);
    const [transactionId] = fields.bytes(4);
    return messageField(1, [
      intField(1, nodeId),
      bytesField(2, transactionId!),
      intField(3, splitFields(receipt!).integer(1)),
    ]);
  });
  const push = messageField(7, [messageField(3, entries)]);
  return stateChanges(items.at(-1)!.consensusTimestamp, [messageField(2, [intField(1, receiptQueue), push])]);
}

/** Before any transaction of a ledger, at a time of 0. */
export function beginLedger(): BlockStreamItem {
  return stateChanges(0n, [
    singleton('entityId', joinFields([intField(1, lastReserved)])),
    singleton('congestionLevels', noBytes),
  ]);
}

type BlockEnd = {
  number: bigint;
  /** ns. */
  start: bigint;
  end: bigint;
  /** The first free entity number. */
  nextEntity: bigint;
  stateForm: StateForm;
};

export function endBlock({ number, start, end, nextEntity, stateForm }: BlockEnd): BlockStreamItem[] {
  const isPartial = stateForm === 'always' && number > 0n;
  const blockInfo = {
    lastBlockNumber: toLong(number),
    firstConsTimeOfLastBlock: timestamp(start),
    consTimeOfLastHandledTxn: timestamp(end),
  };
  const usage = { tpsThrottles: [{ used: toLong(1n), lastDecisionTime: timestamp(end) }] };
  const streamInfo = [
    intField(1, number),
    bytesField(2, toTimestampMessage(start)),
    bytesField(9, toTimestampMessage(end)),
  ];
  return [
    stateChanges(end, [
      singleton('blocks', encodeMessage(proto.BlockInfo, blockInfo)),
      singleton('throttleUsage', encodeMessage(proto.ThrottleUsageSnapshots, usage)),
      // Nothing of it has changed.
      singleton('congestionLevels', noBytes, isPartial),
      singleton('entityId', joinFields([intField(1, nextEntity - 1n)]), isPartial),
    ]),
    stateChanges(end, [singleton('blockStream', joinFields(streamInfo))]),
  ];
}

function singleton(name: keyof typeof singletons, message: Uint8Array, isPartial = false): WireField {
  const [state, value] = singletons[name];
  return updateSingleton(state, value, message, isPartial);
}

function stateChanges(time: bigint, changes: readonly WireField[]): BlockStreamItem {
  const content = joinFields([bytesField(1, toTimestampMessage(time)), ...changes]);
  return writeItem(itemKinds.stateChanges, content);
}
