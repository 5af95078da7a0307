// Hooks that an account or contract gets or loses (HIP-1195) with the transaction that creates or updates it. Deletions
// come first, as the ledger has it: an id that was just freed can be taken again by the same transaction.

import type { com } from '@hashgraph/proto';
import type Long from 'long';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { addHookStorageUpdates } from './hook-storage.ts';

type HookCreation = com.hedera.hapi.node.hooks.IHookCreationDetails;

type HookChanges = { hookIdsToDelete?: Long[] | null; hookCreationDetails?: HookCreation[] | null };

/** The owner is the item's entity. */
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
    context.report(item, `hook ${hookId} is of a kind that this version does not know`);
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
