// The items of one unit: transactions with their results, outputs and traces, and the state changes of all.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import type { StreamItem } from '../run/stream-item.ts';
import type { StreamUnit } from '../run/stream-unit.ts';
import { listSlotChanges, type SlotChange } from './contract-states.ts';
import { type SlotPlaces, toEvmTrace, toMessageTrace } from './evm-trace.ts';
import { joinFields, splitFields } from './message-fields.ts';
import type { StateForm } from './partial-state.ts';
import { toStateChanges } from './state-changes.ts';
import { toTransactionOutputs } from './transaction-outputs.ts';
import { toTransactionResult } from './transaction-result.ts';

export function toUnitItems(unit: StreamUnit, form: StateForm): BlockStreamItem[] {
  const hasSeveralRuns = unit.items.filter(usesSlots).length > 1;
  const slots = listSlotChanges(unit.changes, unit.neighbours, hasSeveralRuns);
  const places = hasSeveralRuns ? null : placesOf(slots);
  const isTraced = findTracedMessages(unit);
  // Nodes of the version that sends values in part say more of results, too.
  const saysMore = form !== 'whole';
  const blockItems: BlockStreamItem[] = [];
  for (const item of unit.items) {
    const record = proto.TransactionRecord.decode(item.record);
    const recordFields = splitFields(item.record);
    const receipt = splitFields(recordFields.bytes(1)[0]!);
    // Its bytes are in the body of the batch.
    if (!item.isInner) blockItems.push(writeItem(itemKinds.signedTransaction, item.signedTransaction));
    blockItems.push(writeItem(itemKinds.transactionResult, toTransactionResult(recordFields, receipt)));
    for (const output of toTransactionOutputs(item, recordFields, receipt, saysMore)) {
      blockItems.push(writeItem(itemKinds.transactionOutput, output));
    }
    // What a hook writes is in the storage of the hook, not in that of the contract that runs it.
    const isTopLevel = item === unit.main;
    const trace = toEvmTrace({ item, record, places: item.executedHook ? null : places, isTopLevel, saysMore });
    if (trace) blockItems.push(writeItem(itemKinds.traceData, trace));
    if (isTraced.has(item)) blockItems.push(writeItem(itemKinds.traceData, toMessageTrace(record)));
    if (item !== unit.main) continue;
    const time = bytesField(1, toTimestampMessage(item.consensusTimestamp));
    blockItems.push(writeItem(itemKinds.stateChanges, joinFields([time, ...toStateChanges(unit, slots, form)])));
  }
  return blockItems;
}

function usesSlots({ sidecars }: StreamItem): boolean {
  return sidecars.some(({ stateChanges }) => stateChanges);
}

/** A slot with an unchanged value has no position. */
function placesOf(slots: readonly SlotChange[]): SlotPlaces {
  const places = new Map<bigint, Map<string, number>>();
  for (const { contract, slot, isIdentical } of slots) {
    if (isIdentical) continue;
    const ofContract = places.get(contract) ?? new Map<string, number>();
    places.set(contract, ofContract.set(slot, ofContract.size));
  }
  return places;
}

/** Messages of units with several messages to one topic. */
function findTracedMessages({ items }: StreamUnit): ReadonlySet<StreamItem> {
  const byTopic = new Map<bigint, StreamItem[]>();
  const messages = items.filter(({ kind, status }) => kind === 'consensusSubmitMessage' && status === 'SUCCESS');
  if (messages.length < 2) return new Set();
  for (const item of messages) {
    const [body] = splitFields(item.signedTransaction).bytes(1);
    const topic = toEntityId(proto.TransactionBody.decode(body!).consensusSubmitMessage?.topicID);
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), item]);
  }
  return new Set([...byTopic.values()].filter(({ length }) => length > 1).flat());
}
