// The end of a token; its row in `token` stays as it is.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { deletedEntity } from '../../columns/entity-change.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const tokenDelete: TransactionHandler = {
  bodyField: 'tokenDeletion',
  entityId: (item) => toEntityId(item.body.tokenDeletion?.token),
  onSuccess: (item, context) => {
    if (item.entityId !== 0n) context.rows.version('entity', deletedEntity(item, item.entityId, 'TOKEN', {}));
  },
};
