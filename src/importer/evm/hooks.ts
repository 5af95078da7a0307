// Hooks of accounts and contracts (HIP-1195): the hooks, their storage, and which one a call ran. Storage keys are
// stored as 32 bytes, values without leading zeros; an empty value is a removed slot.

import type { com } from '@hashgraph/proto';
import type Long from 'long';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { isHookContract } from '../../../packages/protocol/hapi/system-entity.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { emptyBytes, padWord, trimWord } from '../columns/stored-values.ts';

type HookCreation = com.hedera.hapi.node.hooks.IHookCreationDetails;

type HookChanges = { hookIdsToDelete?: Long[] | null; hookCreationDetails?: HookCreation[] | null };

/** The owner is the item's entity. Deletions come first: the same transaction can reuse an id that was just freed. */
export function addHookChanges(item: BlockItem, context: ItemContext, changes: HookChanges): void {
  for (const id of changes.hookIdsToDelete ?? []) {
    context.rows.version('hook', { ...hookVersion(item, toBigInt(id)), deleted: true });
  }
  for (const creation of changes.hookCreationDetails ?? []) {
    context.guard(item, () => addHook(item, context, creation), undefined);
  }
}

function addHook(item: BlockItem, context: ItemContext, creation: HookCreation): void {
  const hookId = toBigInt(creation.hookId);
  const { adminKey, extensionPoint, lambdaEvmHook } = creation;
  if ((extensionPoint ?? 0) !== 0 || !lambdaEvmHook?.spec) {
    context.report(item, `hook ${hookId} is of an unknown kind`);
    return;
  }
  context.rows.version('hook', {
    ...hookVersion(item, hookId),
    admin_key: adminKey ? proto.Key.encode(adminKey).finish() : null,
    contract_id: context.lookup.contract(lambdaEvmHook.spec.contractId),
    created_timestamp: item.consensusTimestamp,
    deleted: false,
    extension_point: 'ACCOUNT_ALLOWANCE_HOOK',
    type: 'EVM',
  });
  addHookStorageUpdates(item, context, { ownerId: item.entityId, hookId }, lambdaEvmHook.storageUpdates ?? []);
}

function hookVersion(item: BlockItem, hookId: bigint) {
  return { hook_id: hookId, owner_id: item.entityId, timestamp_range: { from: item.consensusTimestamp, to: null } };
}

export type HookName = { ownerId: bigint; hookId: bigint };

/** `valueWritten`: null if the slot was only read. */
type HookSlot = { key: Uint8Array; valueRead: Uint8Array; valueWritten: Uint8Array | null };

type StorageUpdate = com.hedera.hapi.node.hooks.ILambdaStorageUpdate;
type MappingEntries = com.hedera.hapi.node.hooks.ILambdaMappingEntries;

/** The old values are in no stream: the new ones are used instead. */
export function addHookStorageUpdates(
  item: BlockItem,
  context: ItemContext,
  hook: HookName,
  updates: readonly StorageUpdate[],
): void {
  const slots = updates.flatMap(({ storageSlot, mappingEntries }) =>
    storageSlot
      ? [{ key: storageSlot.key ?? emptyBytes, value: storageSlot.value }]
      : mappingSlots(mappingEntries ?? {}),
  );
  const written = slots.map(({ key, value }) => ({
    key,
    valueRead: value ?? emptyBytes,
    valueWritten: value ?? emptyBytes,
  }));
  addHookSlots(item, context, hook, written);
}

/** One row a key: the last one of several changes counts. */
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

/** Where Solidity stores the entries of a mapping: keccak256(key ‖ slot of the mapping), both 32 bytes. */
function mappingSlots({ mappingSlot, entries }: MappingEntries): { key: Uint8Array; value?: Uint8Array | null }[] {
  const slot = padWord(mappingSlot ?? emptyBytes);
  return (entries ?? []).map(({ key, preimage, value }) => {
    const entryKey = preimage ? keccak256(preimage) : padWord(key ?? emptyBytes);
    return { key: keccak256(Buffer.concat([entryKey, slot])), value };
  });
}

/**
 * Which hook a call of the hook contract ran. A block names it; in a record it follows from the transfer that caused
 * the call, which lists its hooks in a fixed order. null for other contracts and causes; an unlisted call is reported.
 */
export function hookOfCall(item: BlockItem, context: ItemContext, contractId: bigint): HookName | null {
  if (!isHookContract(contractId)) return null;
  if (item.executedHook?.ownerId) return item.executedHook;
  const transfer = item.parent?.body.cryptoTransfer;
  if (context.evm.lastHookCall !== item || !transfer) return null;
  const hook = transferHooks(transfer, context)[context.evm.lastHookPosition];
  if (!hook) context.report(item, 'the transfer names no hook for this call of the hook contract');
  return hook ?? null;
}

type HookCall = { account: proto.IAccountID | null | undefined; hook: proto.IHookCall | null | undefined };

/** Those called once before the transfer, then those called before and after it, then these again. */
function transferHooks(transfer: proto.ICryptoTransferTransactionBody, { lookup }: ItemContext): HookName[] {
  const before: HookCall[] = [];
  const around: HookCall[] = [];
  const addAmounts = (amounts: proto.IAccountAmount[] | null | undefined): void => {
    for (const { accountID: account, preTxAllowanceHook, prePostTxAllowanceHook } of amounts ?? []) {
      before.push({ account, hook: preTxAllowanceHook });
      around.push({ account, hook: prePostTxAllowanceHook });
    }
  };
  addAmounts(transfer.transfers?.accountAmounts);
  for (const { transfers, nftTransfers } of transfer.tokenTransfers ?? []) {
    addAmounts(transfers);
    for (const nft of nftTransfers ?? []) {
      before.push(
        { account: nft.senderAccountID, hook: nft.preTxSenderAllowanceHook },
        { account: nft.receiverAccountID, hook: nft.preTxReceiverAllowanceHook },
      );
      around.push(
        { account: nft.senderAccountID, hook: nft.prePostTxSenderAllowanceHook },
        { account: nft.receiverAccountID, hook: nft.prePostTxReceiverAllowanceHook },
      );
    }
  }
  return [...before, ...around, ...around].flatMap(({ account, hook }) =>
    hook ? [{ ownerId: lookup.account(account), hookId: toBigInt(hook.hookId) }] : [],
  );
}
