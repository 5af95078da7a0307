// FileDelete: the entity is marked, its bytes stay readable for the time before.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { deletedEntity } from '../../columns/entity-change.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const fileDelete: TransactionHandler = {
  bodyField: 'fileDelete',
  entityId: (item) => toEntityId(item.body.fileDelete?.fileID),
  onSuccess(item, context) {
    if (item.entityId === 0n) return;
    context.rows.version('entity', deletedEntity(item, item.entityId, 'FILE', {}));
  },
};
