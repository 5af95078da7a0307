// The end of an account; who gets its balance.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { deletedEntity } from '../../columns/entity-change.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const cryptoDelete: TransactionHandler = {
  bodyField: 'cryptoDelete',
  entityId: (item) => toEntityId(item.body.cryptoDelete?.deleteAccountID),
  onSuccess: (item, context) => {
    if (item.entityId === 0n) return;
    const obtainerId = context.lookup.account(item.body.cryptoDelete?.transferAccountID);
    context.rows.version('entity', deletedEntity(item, item.entityId, 'ACCOUNT', { obtainer_id: obtainerId || null }));
  },
};
