// The storage of hooks (HIP-1195): what transactions put into it, and what hooks themselves wrote while they ran. Keys are
// kept as 32 bytes, values without leading zeros; an empty value is a slot that is gone.

import type { com } from '@hashgraph/proto';
import { keccak256 } from '../../protocol/keccak256.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { emptyBytes, padWord, trimWord } from '../columns/stored-values.ts';

export type HookName = { ownerId: bigint; hookId: bigint };

/** `valueWritten`: null where the slot was only read. */
type HookSlot = { key: Uint8Array; valueRead: Uint8Array; valueWritten: Uint8Array | null };

type StorageUpdate = com.hedera.hapi.node.hooks.ILambdaStorageUpdate;
type MappingEntries = com.hedera.hapi.node.hooks.ILambdaMappingEntries;

/** The old values are in no stream: the new ones stand for them. */
export function addHookStorageUpdates(
  item: BlockItem,
  context: ItemContext,
  hook: HookName,
  updates: readonly StorageUpdate[],
): void {
  const written = (key: Uint8Array, value: Uint8Array = emptyBytes): HookSlot => ({
    key,
    valueRead: value,
    valueWritten: value,
  });
  const slots = updates.flatMap(({ storageSlot, mappingEntries }): HookSlot[] => {
    if (storageSlot) return [written(storageSlot.key ?? emptyBytes, storageSlot.value ?? emptyBytes)];
    return mappingSlots(mappingEntries ?? {}).map(({ key, value }) => written(key, value));
  });
  addHookSlots(item, context, hook, slots);
}

/** One row a key: of several changes of a slot the last one counts. */
export function addHookSlots(
  item: BlockItem,
  { rows }: ItemContext,
  { ownerId, hookId }: HookName,
  slots: readonly HookSlot[],
): void {
  const byKey = new Map<string, HookSlot>();
  for (const slot of slots) {
    const key = padWord(slot.key);
    byKey.set(Buffer.from(key).toString('hex'), { ...slot, key });
  }
  for (const { key, valueRead, valueWritten } of byKey.values()) {
    const value = valueWritten && trimWord(valueWritten);
    const slotColumns = { deleted: value?.length === 0, hook_id: hookId, key, owner_id: ownerId };
    rows.insert('hook_storage_change', {
      ...slotColumns,
      consensus_timestamp: item.consensusTimestamp,
      value_read: trimWord(valueRead),
      value_written: value,
    });
    if (value === null) continue;
    rows.upsert('hook_storage', {
      ...slotColumns,
      created_timestamp: item.consensusTimestamp,
      modified_timestamp: item.consensusTimestamp,
      value,
    });
  }
}

/** Where Solidity keeps the entries of a mapping: keccak256(key ‖ slot of the mapping), both of 32 bytes. */
function mappingSlots({ mappingSlot, entries }: MappingEntries): { key: Uint8Array; value: Uint8Array | undefined }[] {
  const slot = padWord(mappingSlot ?? emptyBytes);
  return (entries ?? []).map(({ key, preimage, value }) => {
    const entryKey = preimage ? keccak256(preimage) : padWord(key ?? emptyBytes);
    return { key: keccak256(Buffer.concat([entryKey, slot])), value: value ?? undefined };
  });
}
