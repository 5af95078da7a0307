import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import { addDeletedEntity } from '../../columns/entity-change.ts';
import { cryptoApproveAllowance, cryptoDeleteAllowance } from './allowances.ts';
import { cryptoCreateAccount } from './crypto-create.ts';
import { cryptoUpdateAccount } from './crypto-update.ts';

export const accountHandlers: FamilyHandlers<'account'> = {
  // Live hashes have no other rows.
  cryptoAddLiveHash: { entityId: ({ liveHash }) => toEntityId(liveHash?.accountId) },
  cryptoDeleteLiveHash: { entityId: ({ accountOfLiveHash }) => toEntityId(accountOfLiveHash) },
  cryptoApproveAllowance,
  cryptoCreateAccount,
  cryptoDelete: {
    entityId: ({ deleteAccountID }) => toEntityId(deleteAccountID),
    onEntity: ({ transferAccountID }, item, context) => {
      const obtainerId = context.lookup.account(transferAccountID);
      addDeletedEntity(item, context, 'ACCOUNT', { obtainer_id: obtainerId || null });
    },
  },
  cryptoDeleteAllowance,
  cryptoUpdateAccount,
};
