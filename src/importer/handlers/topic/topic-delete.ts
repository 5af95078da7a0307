// ConsensusDeleteTopic: the entity is marked.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { deletedEntity } from '../../columns/entity-change.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const topicDelete: TransactionHandler = {
  bodyField: 'consensusDeleteTopic',
  entityId: (item) => toEntityId(item.body.consensusDeleteTopic?.topicID),
  onSuccess(item, context) {
    if (item.entityId === 0n) return;
    context.rows.version('entity', deletedEntity(item, item.entityId, 'TOPIC', {}));
  },
};
