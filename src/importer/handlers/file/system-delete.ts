// SystemDelete and SystemUndelete: the network's own hand on a file or contract.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import type { proto } from '../../../protocol/hapi/hapi.ts';
import { deletedEntity, type EntityType, updatedEntity } from '../../columns/entity-change.ts';
import type { HandlerContext, TransactionHandler } from '../../block/item-context.ts';

export const systemDelete: TransactionHandler = {
  bodyField: 'systemDelete',
  entityId: (item, context) => targetId(item.body.systemDelete, context),
  onSuccess(item, context) {
    if (item.entityId === 0n) return;
    context.rows.version('entity', deletedEntity(item, item.entityId, targetType(item.body.systemDelete), {}));
  },
};

export const systemUndelete: TransactionHandler = {
  bodyField: 'systemUndelete',
  entityId: (item, context) => targetId(item.body.systemUndelete, context),
  onSuccess(item, context) {
    if (item.entityId === 0n) return;
    context.rows.version('entity', updatedEntity(item, item.entityId, targetType(item.body.systemUndelete), {}));
  },
};

type Target = proto.ISystemDeleteTransactionBody | proto.ISystemUndeleteTransactionBody | null | undefined;

function targetId(body: Target, context: HandlerContext): bigint {
  return body?.contractID ? context.lookup.contract(body.contractID) : toEntityId(body?.fileID);
}

function targetType(body: Target): EntityType {
  return body?.contractID ? 'CONTRACT' : 'FILE';
}
