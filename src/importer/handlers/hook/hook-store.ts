// HookStore: the owner of a hook changes its storage from outside.
import { toBigInt } from '../../../protocol/hapi/hapi.ts';
import { addHookStorageUpdates } from '../../evm/hook-storage.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const hookStore: TransactionHandler = {
  bodyField: 'lambdaSstore',
  entityId: (item, { lookup }) => {
    const owner = item.body.lambdaSstore?.hookId?.entityId;
    return owner?.contractId ? lookup.contract(owner.contractId) : lookup.account(owner?.accountId);
  },
  onSuccess(item, context) {
    const body = item.body.lambdaSstore;
    if (!body?.hookId || item.entityId === 0n) return;
    const hook = { ownerId: item.entityId, hookId: toBigInt(body.hookId.hookId) };
    addHookStorageUpdates(item, context, hook, body.storageUpdates ?? []);
  },
};
