import { toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import { addHookStorageUpdates } from '../../evm/hooks.ts';

export const hookHandlers: FamilyHandlers<'hook'> = {
  // HookStore: the owner of a hook changes its storage from outside.
  lambdaSstore: {
    entityId: ({ hookId }, _item, { lookup }) => {
      const owner = hookId?.entityId;
      return owner?.contractId ? lookup.contract(owner.contractId) : lookup.account(owner?.accountId);
    },
    onEntity: ({ hookId, storageUpdates }, item, context) => {
      const hook = { ownerId: item.entityId, hookId: toBigInt(hookId?.hookId) };
      addHookStorageUpdates(item, context, hook, storageUpdates ?? []);
    },
  },
};
